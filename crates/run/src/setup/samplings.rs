//! The requested sampling of inputs.

use quadrille::gl::{Filter, Sampling, Wrap};

/// The way in which `texture()` samples inputs: settings for single inputs by name, and for all
/// others.
///
/// ```
/// use quadrille_run::Samplings;
/// use quadrille::gl::{Filter, Wrap};
/// let samplings = Samplings::new().wrap_all(Wrap::Repeat).filter("image", Filter::Linear);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samplings {
    wraps: Vec<(Option<String>, Wrap)>,
    filters: Vec<(Option<String>, Filter)>,
}

impl Samplings {
    /// Creates the default: the nearest texel, and outside of an array the nearest texel of its
    /// edge.
    pub fn new() -> Samplings {
        Samplings::default()
    }

    /// Sets how an input is sampled outside of its array.
    pub fn wrap(mut self, input: impl Into<String>, wrap: Wrap) -> Samplings {
        self.set_wrap(Some(input.into()), wrap);
        self
    }

    /// Sets how an input is sampled between the centres of its texels.
    pub fn filter(mut self, input: impl Into<String>, filter: Filter) -> Samplings {
        self.set_filter(Some(input.into()), filter);
        self
    }

    /// Sets how inputs without a wrap mode of their own are sampled outside of their arrays.
    pub fn wrap_all(mut self, wrap: Wrap) -> Samplings {
        self.set_wrap(None, wrap);
        self
    }

    /// Sets how inputs without a filter of their own are sampled between the centres of their
    /// texels.
    pub fn filter_all(mut self, filter: Filter) -> Samplings {
        self.set_filter(None, filter);
        self
    }

    pub(crate) fn set_wrap(&mut self, of: Option<String>, wrap: Wrap) {
        self.wraps.push((of, wrap));
    }

    pub(crate) fn set_filter(&mut self, of: Option<String>, filter: Filter) {
        self.filters.push((of, filter));
    }

    /// Returns the wrap modes that were set, for an input by name or for all.
    pub fn wraps(&self) -> &[(Option<String>, Wrap)] {
        &self.wraps
    }

    /// Returns the filters that were set, for an input by name or for all.
    pub fn filters(&self) -> &[(Option<String>, Filter)] {
        &self.filters
    }

    /// Returns whether no setting was made.
    pub fn is_empty(&self) -> bool {
        self.wraps.is_empty() && self.filters.is_empty()
    }

    /// Returns the filter that was set for an input.
    pub(crate) fn filter_of(&self, input: &str) -> Option<Filter> {
        asked(&self.filters, input)
    }

    /// Replaces the settings by those that others have for the same inputs, or for all.
    pub(crate) fn replaced(mut self, others: Samplings) -> Samplings {
        self.wraps.retain(|(of, _)| others.wraps.iter().all(|(other, _)| other != of));
        self.filters.retain(|(of, _)| others.filters.iter().all(|(other, _)| other != of));
        self.add(others);
        self
    }

    /// Copies the settings of one input to another that has none.
    pub(crate) fn also(mut self, of: &str, other: &str) -> Samplings {
        copy(&mut self.wraps, of, other);
        copy(&mut self.filters, of, other);
        self
    }

    pub(crate) fn add(&mut self, more: Samplings) {
        self.wraps.extend(more.wraps);
        self.filters.extend(more.filters);
    }

    /// Returns the sampling of an input: its own, else that of all, else the default.
    pub(crate) fn of(&self, name: &str, default: Sampling) -> Sampling {
        Sampling {
            wrap: asked(&self.wraps, name).unwrap_or(default.wrap),
            filter: asked(&self.filters, name).unwrap_or(default.filter),
        }
    }

    /// Yields the settings that differ from the default: the input's name, if it is for one input,
    /// and a description.
    pub(crate) fn unusual(&self) -> impl Iterator<Item = (Option<&String>, String)> {
        let wraps = self.wraps.iter().filter(|(_, wrap)| *wrap != Wrap::default());
        let wraps = wraps.map(|(name, wrap)| (name.as_ref(), format!("the wrap mode `{wrap}`")));
        let filters = self.filters.iter().filter(|(_, filter)| *filter != Filter::default());
        wraps.chain(filters.map(|(name, filter)| (name.as_ref(), format!("the filter `{filter}`"))))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        let wraps = self.wraps.iter().filter_map(|(name, _)| name.as_ref());
        wraps.chain(self.filters.iter().filter_map(|(name, _)| name.as_ref()))
    }
}

fn copy<T: Copy>(list: &mut Vec<(Option<String>, T)>, of: &str, other: &str) {
    let own = |name: &str| list.iter().find(|(known, _)| known.as_deref() == Some(name));
    if let (Some((_, asked)), None) = (own(of), own(other)) {
        list.push((Some(other.to_owned()), *asked));
    }
}

/// Finds the setting for an input, or else the one for all.
fn asked<T: Copy>(list: &[(Option<String>, T)], name: &str) -> Option<T> {
    let of = |wanted: Option<&str>| list.iter().find(|(known, _)| known.as_deref() == wanted);
    of(Some(name)).or_else(|| of(None)).map(|(_, asked)| *asked)
}
