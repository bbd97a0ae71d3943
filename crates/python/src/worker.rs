//! A worker: the thread that a context and everything on it belong to, since they cannot move
//! between threads.
//!
//! [`Worker::call`] runs a closure there and waits, without holding the interpreter, so calls come
//! from any Python thread, one after the other. The closure owns what it needs; arrays are
//! [lent](crate::arrays::lent) to it. It gets the [`State`] of the worker, and a [`Watch`] to hand to
//! whatever iterates: it is an `Observer` that stops the work after Ctrl-C, and reports progress.
//!
//! A pass that does not return cannot be stopped. Ten seconds after Ctrl-C, or at the second one, the
//! call returns all the same: the worker is given up, and its thread with it.

mod exit;
pub(crate) mod handle;
pub(crate) mod state;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quadrille::{Control, Kind, Observer, Progress};

use crate::arguments::progress::{Reached, Telling};
use crate::error::{Failure, exception};
use crate::prelude::*;
use state::{Settings, State};

/// The time between two looks of a waiting call for signals and progress.
const LOOK: Duration = Duration::from_millis(50);

/// The process that used OpenGL first. A child of it has copies of the driver's locks, but none of
/// its threads.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// The workers whose threads may still run.
static WORKERS: Mutex<Vec<Arc<Shared>>> = Mutex::new(Vec::new());

/// The calls that wait without holding the interpreter.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// The time for which the interpreter's end waits for them to come back.
const PATIENCE: Duration = Duration::from_secs(2);

/// The time that work may take to stop, after which its worker is given up.
const TO_STOP: Duration = Duration::from_secs(10);

/// The time between two looks whether threads have ended.
const GLANCE: Duration = Duration::from_millis(1);

const CLOSED: &str = "the context is closed: make a new one, and upload to it again";
const GIVEN_UP: &str = "the context was given up at an interrupt, since a pass did not return: make a new one, and upload to it again";
const OCCUPIED: &str = "a pass that was given up at an interrupt is still in the software renderer, which one thread enters at a time: \
                        start the process again, or restart the notebook's kernel";

type Job = Box<dyn FnOnce(&mut State) + Send>;

/// A job that nobody has begun; whoever takes it out does it or drops it.
type Slot = Arc<Mutex<Option<Job>>>;

enum Message {
    Work(Slot),
    Drop(u64),
    End,
}

/// The state that a worker's users and its thread share.
struct Shared {
    sender: Sender<Message>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Iterations stop, since the worker is about to end.
    ending: AtomicBool,
    /// The device lost the context, or the worker was given up.
    lost: AtomicBool,
    /// The thread is in a pass that did not return when it was to stop: nobody waits for it.
    given_up: AtomicBool,
    is_hardware: Arc<AtomicBool>,
}

impl Shared {
    /// Sends a message; after the end it is dropped.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }

    /// Ends the thread after what it does now; what waits is refused.
    fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
        self.send(Message::End);
    }

    fn join(&self) {
        let thread = locked(&self.thread).take();
        if let Some(thread) = thread {
            // A job that panics is caught; its thread returns.
            let _ = thread.join();
        }
    }

    fn is_finished(&self) -> bool {
        locked(&self.thread).as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Leaves the thread to the pass that it is in.
    fn give_up(&self) {
        self.end();
        self.lost.store(true, Ordering::Relaxed);
        self.given_up.store(true, Ordering::Relaxed);
    }

    fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Returns why no call can be answered: this worker was given up, or another one that is still in
    /// the software renderer, which one thread enters at a time.
    fn is_stuck(&self) -> Option<&'static str> {
        if self.is_given_up() {
            return Some(GIVEN_UP);
        }
        let inside = |worker: &Arc<Shared>| {
            worker.is_given_up() && !worker.is_hardware() && !worker.is_finished()
        };
        (!self.is_hardware() && locked(&WORKERS).iter().any(inside)).then_some(OCCUPIED)
    }

    /// Returns whether a context of hardware was made.
    fn is_hardware(&self) -> bool {
        self.is_hardware.load(Ordering::Relaxed)
    }
}

/// A handle to a worker, which ends when the last one is dropped.
#[derive(Clone)]
pub(crate) struct Worker {
    user: Arc<User>,
}

struct User {
    shared: Option<Arc<Shared>>,
}

impl Drop for User {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.take() {
            match in_own_process() {
                true => shared.end(),
                // Its locks may have been held when the process was copied.
                false => std::mem::forget(shared),
            }
        }
    }
}

impl Worker {
    /// Starts the thread; it makes its context at the first use.
    pub(crate) fn start(py: Python<'_>, settings: Settings) -> PyResult<Worker> {
        must_be_own_process(py)?;
        let (sender, messages) = mpsc::channel();
        let is_hardware = Arc::new(AtomicBool::new(false));
        let for_state = is_hardware.clone();
        let work = move || work(State::new(settings, for_state), &messages);
        let thread = std::thread::Builder::new().name("quadrille".into()).spawn(work);
        let thread = thread.map_err(|error| {
            exception(py, Kind::OutOfMemory, format!("no thread for a context: {error}"))
        })?;
        let shared = Arc::new(Shared {
            sender,
            thread: Mutex::new(Some(thread)),
            ending: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            given_up: AtomicBool::new(false),
            is_hardware,
        });
        let mut workers = locked(&WORKERS);
        workers.retain(|worker| !worker.is_finished());
        workers.push(shared.clone());
        Ok(Worker { user: Arc::new(User { shared: Some(shared) }) })
    }

    /// Returns whether both are handles to one worker.
    pub(crate) fn is(&self, other: &Worker) -> bool {
        Arc::ptr_eq(&self.user, &other.user)
    }

    /// Returns whether the device lost the context: what is on it is gone, and a new one may work.
    pub(crate) fn is_lost(&self) -> bool {
        self.shared().is_some_and(|shared| shared.lost.load(Ordering::Relaxed))
    }

    fn shared(&self) -> Option<&Arc<Shared>> {
        self.user.shared.as_ref()
    }

    /// Forgets an object of the state, whenever the thread comes to it.
    pub(crate) fn forget(&self, object: u64) {
        if let Some(shared) = self.shared().filter(|_| in_own_process()) {
            shared.send(Message::Drop(object));
        }
    }

    /// Ends the thread and everything on it, and waits for that, but not longer than until a signal.
    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<()> {
        must_be_own_process(py)?;
        let Some(shared) = self.shared() else { return Ok(()) };
        shared.end();
        while !shared.is_given_up() {
            if shared.is_finished() {
                py.detach(|| shared.join());
                break;
            }
            py.detach(|| std::thread::sleep(GLANCE));
            py.check_signals()?;
        }
        Ok(())
    }

    /// Does work on the thread and waits for its result.
    ///
    /// Raises what the work fails with; `KeyboardInterrupt` if a signal handler raised it
    /// meanwhile; `DeviceError` after a fork, or if the context was closed or given up.
    pub(crate) fn call<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State, &mut Watch) -> Result<R, Failure> + Send + 'static,
    ) -> PyResult<R> {
        self.call_telling(py, None, work)
    }

    /// Returns the name of the device.
    pub(crate) fn renderer(&self, py: Python<'_>) -> PyResult<String> {
        self.call(py, |state, _| Ok(state.context()?.abilities().renderer.clone()))
    }

    /// Does the work and tells of its progress, and of x on the way, some times a second.
    pub(crate) fn call_telling<R: Send + 'static>(
        &self,
        py: Python<'_>,
        telling: Option<&Telling<'_>>,
        work: impl FnOnce(&mut State, &mut Watch) -> Result<R, Failure> + Send + 'static,
    ) -> PyResult<R> {
        must_be_own_process(py)?;
        let Some(shared) = self.shared() else { return Err(unusable(py, CLOSED)) };
        if let Some(why) = shared.is_stuck() {
            return Err(unusable(py, why));
        }
        let control = Arc::new(CallControl::default());
        let (answer, answers) = mpsc::sync_channel(1);
        let watch = Watch { control: control.clone(), worker: shared.clone() };
        let slot = slot(work, watch, answer);
        let (worker, slot_of_call) = (shared.clone(), Arc::downgrade(&slot));
        let mut call = Call { slot: slot_of_call, answers, control, worker, interrupt: None };
        shared.send(Message::Work(slot));
        let result = call.wait(py, telling);
        if let Some(interrupt) = call.interrupt {
            return Err(interrupt.raised);
        }
        telling.map_or(Ok(()), |telling| telling.tell(None, call.control.reached()))?;
        match result {
            None => Err(unusable(py, shared.is_stuck().unwrap_or(CLOSED))),
            Some(Ok(result)) => result.map_err(|failure| failure.into_exception(py)),
            Some(Err(panic)) => Err(exception(py, Kind::Driver, panic_text(panic.as_ref()))),
        }
    }
}

type Answer<R> = std::thread::Result<Result<R, Failure>>;

/// A call that waits.
struct Call<R> {
    /// Weak, so that the job is dropped where the worker ends before it.
    slot: Weak<Mutex<Option<Job>>>,
    answers: Receiver<Answer<R>>,
    control: Arc<CallControl>,
    worker: Arc<Shared>,
    interrupt: Option<Interrupt>,
}

/// The first exception that stopped a call.
struct Interrupt {
    raised: PyErr,
    at: Instant,
}

impl<R: Send> Call<R> {
    /// The answer; `None` if the worker ended before it began, or was given up.
    fn wait(&mut self, py: Python<'_>, telling: Option<&Telling<'_>>) -> Option<Answer<R>> {
        loop {
            let answers = &mut self.answers;
            WAITING.fetch_add(1, Ordering::Relaxed);
            let answer = py.detach(move || answers.recv_timeout(LOOK));
            WAITING.fetch_sub(1, Ordering::Relaxed);
            match answer {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.look(py, telling),
            }
            if self.worker.is_stuck().is_some() {
                self.worker.give_up();
                return None;
            }
        }
    }

    /// Looks for signals and reports progress; an exception of either stops the work. Work that does
    /// not stop is given up, at the second signal at once.
    fn look(&mut self, py: Python<'_>, telling: Option<&Telling<'_>>) {
        let mut raised = py.check_signals().err();
        if let Some(Interrupt { at, .. }) = &self.interrupt
            && (raised.is_some() || at.elapsed() >= TO_STOP)
        {
            self.worker.give_up();
        }
        if let (Some(telling), None, None) = (telling, &raised, &self.interrupt) {
            raised = telling.tell(self.control.progress(), self.control.reached()).err();
        }
        if let Some(raised) = raised {
            self.interrupt.get_or_insert_with(|| Interrupt { raised, at: Instant::now() });
            self.control.stop.store(true, Ordering::Relaxed);
            self.take_back();
        }
    }

    /// Drops the job unless it was begun.
    fn take_back(&self) {
        if let Some(slot) = self.slot.upgrade() {
            drop(locked(&slot).take());
        }
    }
}

/// The work as a job of the thread, in a slot.
fn slot<R: Send + 'static>(
    work: impl FnOnce(&mut State, &mut Watch) -> Result<R, Failure> + Send + 'static,
    mut watch: Watch,
    answer: SyncSender<Answer<R>>,
) -> Slot {
    let job = move |state: &mut State| {
        let answered = catch_unwind(AssertUnwindSafe(|| work(state, &mut watch)));
        if let Ok(Err(Failure { kind: Kind::ContextLost, .. })) = &answered {
            watch.worker.lost.store(true, Ordering::Relaxed);
        }
        // There is room for it. Nobody waits for the answer of work that was given up.
        let _ = answer.send(answered);
    };
    Arc::new(Mutex::new(Some(Box::new(job))))
}

/// The state that a waiting call and its work share.
#[derive(Default)]
struct CallControl {
    stop: AtomicBool,
    progress: Mutex<Option<Progress>>,
    reached: Mutex<Option<Reached>>,
}

impl CallControl {
    /// The newest progress, once.
    fn progress(&self) -> Option<Progress> {
        locked(&self.progress).take()
    }

    /// The newest x, once.
    fn reached(&self) -> Option<Reached> {
        locked(&self.reached).take()
    }
}

/// Observes work for the call that waits for it.
pub(crate) struct Watch {
    control: Arc<CallControl>,
    worker: Arc<Shared>,
}

impl Watch {
    /// Returns whether the work is to end.
    pub(crate) fn stopped(&self) -> bool {
        self.control.stop.load(Ordering::Relaxed) || self.worker.ending.load(Ordering::Relaxed)
    }

    /// Returns what gives x to the call that waits for the work.
    pub(crate) fn keeper(&self) -> impl FnMut(u64, Vec<f64>) + use<> {
        let control = self.control.clone();
        move |iterations, x| *locked(&control.reached) = Some((iterations, x))
    }
}

impl Observer for Watch {
    fn observe(&mut self, progress: &Progress) -> Control {
        *locked(&self.control.progress) = Some(*progress);
        if self.stopped() { Control::Stop } else { Control::Continue }
    }
}

/// The thread of a worker.
fn work(mut state: State, messages: &Receiver<Message>) {
    for message in messages {
        match message {
            Message::Work(slot) => {
                let job = locked(&slot).take();
                if let Some(job) = job {
                    job(&mut state);
                }
            }
            Message::Drop(object) => state.forget(object),
            Message::End => break,
        }
    }
}

/// Ends all workers and waits for their threads, but not for passes that do not return; the
/// interpreter calls it before it ends.
#[pyfunction]
pub(crate) fn end_all(py: Python<'_>) {
    if !in_own_process() {
        return;
    }
    let workers = locked(&WORKERS).clone();
    workers.iter().for_each(|worker| worker.end());
    let begun = Instant::now();
    let is_waited_for = |worker: &Arc<Shared>| !worker.is_given_up() && !worker.is_finished();
    while workers.iter().any(is_waited_for)
        && begun.elapsed() < TO_STOP
        && py.check_signals().is_ok()
    {
        py.detach(|| std::thread::sleep(GLANCE));
    }
    let (ended, running): (Vec<_>, Vec<_>) =
        workers.into_iter().partition(|worker| worker.is_finished());
    if !running.is_empty() {
        running.iter().for_each(|worker| worker.give_up());
        exit::without_the_driver();
    }
    py.detach(|| {
        ended.iter().for_each(|worker| worker.join());
        // A thread that asks for the interpreter after its end is ended by it, up to CPython 3.13
        // by unwinding what is not Python's.
        let start = Instant::now();
        while WAITING.load(Ordering::Relaxed) > 0 && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

/// Refuses a process that was forked from one that had used OpenGL.
pub(crate) fn must_be_own_process(py: Python<'_>) -> PyResult<()> {
    let own = std::process::id();
    match PROCESS.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => Ok(()),
        Err(first) if first == own => Ok(()),
        Err(first) => Err(exception(
            py,
            Kind::NoDevice,
            format!(
                "process {own} was forked from process {first} after that had used quadrille: a driver's threads and locks do not survive a \
                 fork. Start processes by multiprocessing.get_context(\"spawn\") or \"forkserver\", or fork before the first use"
            ),
        )),
    }
}

fn in_own_process() -> bool {
    [0, std::process::id()].contains(&PROCESS.load(Ordering::Relaxed))
}

fn unusable(py: Python<'_>, why: &str) -> PyErr {
    exception(py, Kind::NoDevice, why)
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text =
        text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
    format!("quadrille has a bug, please report it: a panic, {text}")
}

/// Locks, also after a panic: nothing that these locks protect is left half done by one.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
