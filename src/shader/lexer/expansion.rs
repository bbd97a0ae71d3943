//! Replaces macros in tokens.

use std::rc::Rc;

use super::lines::Position;
use super::macros::{Macro, Macros, Several};
use super::tokens::{Span, Token, words};

/// The tokens that a text may become: more is a mistake, or an attack.
pub(super) const MOST: usize = 1 << 20;

/// The calls that may stand within each other's arguments, and the macros in each other's bodies.
const DEEPEST: usize = 200;

/// A token on its way, and the macros that it came out of, which do not replace it again.
#[derive(Clone)]
struct Item {
    token: Token,
    hidden: Option<Rc<Hidden>>,
}

struct Hidden {
    name: Rc<str>,
    others: Option<Rc<Hidden>>,
    count: usize,
}

impl Item {
    /// Returns whether a macro of its name must not replace it.
    fn is_hidden(&self) -> bool {
        let mut next = self.hidden.as_ref();
        while let Some(hidden) = next {
            if hidden.name == self.token.text {
                return true;
            }
            next = hidden.others.as_ref();
        }
        false
    }
}

/// The arguments of a call, the tokens of the call, and its end.
struct Call {
    arguments: Vec<Vec<Item>>,
    length: usize,
    end: Position,
}

impl Call {
    /// Returns whether it has the arguments that a macro takes.
    fn fits(&self, parameters: usize) -> bool {
        let is_empty = || self.arguments.iter().all(Vec::is_empty);
        match parameters {
            0 => self.arguments.len() == 1 && is_empty(),
            count => self.arguments.len() == count,
        }
    }
}

struct Expansion<'m> {
    macros: &'m Macros,
    several: Several,
    /// The tokens that may still be looked at; behind them nothing is replaced.
    budget: &'m mut usize,
}

/// Returns tokens with all macros replaced, as far as this many tokens go.
pub(super) fn expanded(
    tokens: Vec<Token>,
    macros: &Macros,
    several: Several,
    budget: &mut usize,
) -> Vec<Token> {
    let items = tokens.into_iter().map(|token| Item { token, hidden: None }).collect();
    let mut expansion = Expansion { macros, several, budget };
    expansion.replaced(items, 0).into_iter().map(|item| item.token).collect()
}

impl Expansion<'_> {
    /// Returns whether so many tokens may still be looked at.
    fn spend(&mut self, count: usize) -> bool {
        *self.budget = self.budget.saturating_sub(count);
        *self.budget > 0
    }

    fn replaced(&mut self, mut items: Vec<Item>, depth: usize) -> Vec<Item> {
        let mut done = Vec::with_capacity(items.len());
        // The next token is the last.
        items.reverse();
        while let Some(mut item) = items.pop() {
            let made = self.spend(1).then(|| self.made(&mut item, &mut items, depth)).flatten();
            match made {
                Some(made) => items.extend(made.into_iter().rev()),
                None => done.push(item),
            }
        }
        done
    }

    /// Returns what a token stands for, and takes its arguments from those that follow, of which
    /// the next is the last. `None` for what is no macro.
    fn made(&mut self, item: &mut Item, ahead: &mut Vec<Item>, depth: usize) -> Option<Vec<Item>> {
        let macros = self.macros;
        let known = item.token.is_name().then(|| macros.get(&item.token.text)).flatten()?;
        let (mut stays, macros) = known.counting(self.several);
        item.token.is_painted |= !macros.is_empty() && item.is_hidden();
        if item.token.is_painted {
            return None;
        }
        let takes = macros.iter().any(|one| one.parameters.is_some());
        let call = if takes { self.call(ahead) } else { None };
        let fits = |one: &&Macro| match &one.parameters {
            None => true,
            Some(names) => call.as_ref().is_some_and(|call| call.fits(names.len())),
        };
        let fitting: Vec<&Macro> = macros.iter().filter(fits).collect();
        stays |= fitting.len() < macros.len();
        if fitting.is_empty() || !self.goes_deeper(item, depth) {
            return None;
        }
        let call = call.filter(|_| fitting.iter().any(|one| one.parameters.is_some()));
        let end = call.as_ref().map_or(item.token.from.end, |call| call.end);
        let from = Span { end: end.max(item.token.from.end), is_macro: true, ..item.token.from };
        let taken = ahead.split_off(ahead.len() - call.as_ref().map_or(0, |call| call.length));
        let arguments = call.map(|call| call.arguments).unwrap_or_default();
        // The parentheses stay behind what takes no arguments.
        let behind = || taken.iter().rev().cloned();
        let mut all = Vec::new();
        if stays {
            all.extend(hidden([item.clone()], item, from));
            all.extend(behind());
        }
        for one in fitting {
            if stays {
                let token = Token { from, kept: item.token.kept, ..Token::bare(";") };
                all.push(Item { token, hidden: None });
            }
            all.extend(hidden(self.filled(one, &arguments, depth), item, from));
            if one.parameters.is_none() {
                all.extend(behind());
            }
            stays = true;
        }
        Some(all)
    }

    /// Returns whether macros may stand within each other here; else nothing more is replaced.
    fn goes_deeper(&mut self, item: &Item, depth: usize) -> bool {
        let count = item.hidden.as_ref().map_or(0, |hidden| hidden.count);
        let goes = depth < DEEPEST && count < DEEPEST;
        if !goes {
            *self.budget = 0;
        }
        goes
    }

    /// Returns the body of a macro with its arguments in place of their names.
    fn filled(&mut self, one: &Macro, arguments: &[Vec<Item>], depth: usize) -> Vec<Item> {
        let mut made: Vec<Item> = Vec::new();
        let pastes = |at: usize| one.body.get(at).is_some_and(|word| &**word == "##");
        // How many tokens the operand has that a `##` joins with the next.
        let mut operand = 0;
        for (at, word) in one.body.iter().enumerate().filter(|(at, _)| !pastes(*at)) {
            let is_pasted = at > 0 && pastes(at - 1);
            let names = one.parameters.iter().flatten();
            let argument = names.zip(arguments).find(|(name, _)| *name == word);
            if !self.spend(argument.map_or(1, |(_, raw)| raw.len())) {
                break;
            }
            let mut by = match argument {
                Some((_, raw)) if is_pasted || pastes(at + 1) => raw.clone(),
                Some((_, raw)) => self.replaced(raw.clone(), depth + 1),
                None => vec![Item { token: Token::bare(word.clone()), hidden: None }],
            };
            if !is_pasted {
                operand = 0;
            } else if operand > 0
                && let (Some(last), Some(first)) = (made.last_mut(), by.first())
            {
                let joined = format!("{}{}", last.token.text, first.token.text);
                if words(&joined).count() == 1 {
                    last.token = Token::bare(joined);
                    by.remove(0);
                }
            }
            operand += by.len();
            made.extend(by);
        }
        made
    }

    /// Returns the call in parentheses that follows.
    fn call(&mut self, ahead: &[Item]) -> Option<Call> {
        ahead.last().filter(|item| item.token.is("("))?;
        let (mut depth, mut arguments) = (1, vec![Vec::new()]);
        for (length, item) in (2..).zip(ahead.iter().rev().skip(1)) {
            if !self.spend(1) || item.token.is_branch() {
                return None;
            }
            match &*item.token.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            match depth {
                0 => return Some(Call { arguments, length, end: item.token.from.end }),
                1 if item.token.is(",") => arguments.push(Vec::new()),
                _ => arguments.last_mut()?.push(item.clone()),
            }
        }
        None
    }
}

/// Returns what came out of a macro, whose name it hides.
fn hidden(
    made: impl IntoIterator<Item = Item>,
    of: &Item,
    from: Span,
) -> impl Iterator<Item = Item> {
    let (name, outer, kept) = (of.token.text.clone(), of.hidden.clone(), of.token.kept);
    made.into_iter().map(move |Item { token, hidden }| {
        let others = hidden.or(outer.clone());
        let count = others.as_ref().map_or(1, |others| others.count + 1);
        let hidden = Some(Rc::new(Hidden { name: name.clone(), others, count }));
        Item { token: Token { from, kept, ..token }, hidden }
    })
}
