//! The state of a worker's thread: its context, and the objects that Python objects stand for.
//!
//! `state.keep(object)` stores anything and returns its [`ObjectId`], by which later calls get the
//! object back; a Python class holds that in a [`super::handle::Handle`].

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use quadrille::Kind;
use quadrille::shader::Api;

use crate::error::Failure;

/// The id of the next object of any worker, so that none is taken for another's.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The settings of a context.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) device: Option<String>,
    pub(crate) api: Option<Api>,
    /// Whether it uses what `quadrille tune` stored.
    pub(crate) tuned: bool,
}

/// All that belongs to one worker.
pub(crate) struct State {
    // Before the context: their own handles to it go first.
    objects: HashMap<u64, Rc<dyn Any>>,
    shared: HashMap<TypeId, Rc<dyn Any>>,
    context: Option<quadrille::Context>,
    settings: Settings,
    /// Whether the context is of hardware, for the worker's users.
    is_hardware: Arc<AtomicBool>,
}

impl State {
    pub(crate) fn new(settings: Settings, is_hardware: Arc<AtomicBool>) -> State {
        let (objects, shared) = (HashMap::new(), HashMap::new());
        State { objects, shared, context: None, settings, is_hardware }
    }

    /// Returns the context, which is made at the first use.
    pub(crate) fn context(&mut self) -> Result<quadrille::Context, Failure> {
        if let Some(context) = &self.context {
            return Ok(context.clone());
        }
        let mut builder = quadrille::Context::builder();
        if let Some(api) = self.settings.api {
            builder = builder.api(api);
        }
        if let Some(device) = &self.settings.device {
            builder = builder.device(device.as_str());
        }
        let context = builder.build()?;
        if self.settings.tuned {
            context.load_tuned()?;
        }
        self.is_hardware.store(!context.abilities().software, Ordering::Relaxed);
        Ok(self.context.insert(context).clone())
    }

    /// Stores an object under an id of its own.
    pub(crate) fn keep<T: 'static>(&mut self, object: T) -> ObjectId<T> {
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        self.objects.insert(id, Rc::new(object));
        ObjectId { id, of: PhantomData }
    }

    /// Returns the object of an id of this worker.
    pub(crate) fn get<T: 'static>(&self, object: &ObjectId<T>) -> Result<Rc<T>, Failure> {
        let object = self.objects.get(&object.id).cloned();
        object.and_then(|object| object.downcast().ok()).ok_or_else(|| {
            Failure::new(
                Kind::Input,
                "the object belongs to another context; objects cannot cross contexts",
            )
        })
    }

    /// Returns an object that functions of one kind share on this worker, such as kernels: one of
    /// each type, made at the first use.
    pub(crate) fn shared<T: 'static>(
        &mut self,
        make: impl FnOnce(&quadrille::Context) -> T,
    ) -> Result<Rc<T>, Failure> {
        let known = self.shared.get(&TypeId::of::<T>()).cloned();
        if let Some(known) = known.and_then(|known| known.downcast().ok()) {
            return Ok(known);
        }
        let made = Rc::new(make(&self.context()?));
        self.shared.insert(TypeId::of::<T>(), made.clone());
        Ok(made)
    }

    /// Returns the number of objects.
    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    pub(crate) fn forget(&mut self, object: u64) {
        self.objects.remove(&object);
    }
}

/// The id by which an object of a state is found.
pub(crate) struct ObjectId<T> {
    pub(crate) id: u64,
    of: PhantomData<fn(T)>,
}

impl<T> Clone for ObjectId<T> {
    fn clone(&self) -> ObjectId<T> {
        *self
    }
}

impl<T> Copy for ObjectId<T> {}
