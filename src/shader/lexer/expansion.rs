//! Replaces macros in tokens.

use super::lines::Position;
use super::macros::{Definition, Macro, Macros, Several};
use super::tokens::{Span, Token, words};
use super::verdict::Verdict;

/// The tokens that a text may become: more is a mistake, or an attack.
pub(super) const MOST: usize = 1 << 20;

/// The calls that may stand within each other's arguments, and the macros in each other's bodies.
const DEEPEST: usize = 200;

/// The arguments of a call, the tokens of the call, and its end.
struct Call {
    arguments: Vec<Vec<Token>>,
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

/// Moves tokens behind others, with all macros replaced as far as the budget goes.
pub(super) fn expand(
    tokens: &mut Vec<Token>,
    macros: &Macros,
    several: Several,
    budget: &mut usize,
    done: &mut Vec<Token>,
) {
    Expansion { macros, several, budget }.replace(tokens, 0, done);
}

impl Expansion<'_> {
    /// Returns whether so many tokens may still be looked at.
    fn spend(&mut self, count: usize) -> bool {
        *self.budget = self.budget.saturating_sub(count);
        *self.budget > 0
    }

    fn replace(&mut self, ahead: &mut Vec<Token>, depth: usize, done: &mut Vec<Token>) {
        done.reserve(ahead.len());
        // The next token is the last.
        ahead.reverse();
        while let Some(mut token) = ahead.pop() {
            let made = self.spend(1).then(|| self.made(&mut token, ahead, depth)).flatten();
            match made {
                Some(made) => ahead.extend(made.into_iter().rev()),
                None => done.push(token),
            }
        }
    }

    /// Returns what a token stands for, and takes its arguments from those that follow, of which
    /// the next is the last. `None` for what is no macro.
    fn made(
        &mut self,
        token: &mut Token,
        ahead: &mut Vec<Token>,
        depth: usize,
    ) -> Option<Vec<Token>> {
        // What no driver keeps is not meant with the macros of what it does keep.
        let is_read = token.is_name() && token.kept != Verdict::No;
        let macros = self.macros;
        let known = is_read.then(|| macros.get(&token.text)).flatten()?;
        let (mut stays, macros) = known.counting(self.several);
        token.is_painted |= !macros.is_empty() && token.hidden.contains(&token.text);
        if token.is_painted {
            return None;
        }
        let takes = macros.iter().any(|one| one.parameters().is_some());
        let call = if takes { self.call(ahead) } else { None };
        let fits = |one: &&Macro| match one.parameters() {
            None => true,
            Some(names) => call.as_ref().is_some_and(|call| call.fits(names.len())),
        };
        let fitting: Vec<&Macro> = macros.iter().filter(fits).collect();
        stays |= fitting.len() < macros.len();
        if fitting.is_empty() || !self.goes_deeper(token, depth) {
            return None;
        }
        let call = call.filter(|_| fitting.iter().any(|one| one.parameters().is_some()));
        let end = call.as_ref().map_or(token.from.end, |call| call.end);
        let from = Span { end: end.max(token.from.end), is_macro: true, ..token.from };
        let taken = ahead.split_off(ahead.len() - call.as_ref().map_or(0, |call| call.length));
        let arguments = call.map(|call| call.arguments).unwrap_or_default();
        // The parentheses stay behind what takes no arguments.
        let behind = || taken.iter().rev().cloned();
        let mut all = Vec::new();
        if stays {
            all.extend(hidden([token.clone()], token, from));
            all.extend(behind());
        }
        for one in fitting {
            if !self.spend(1) {
                break;
            }
            if stays {
                all.push(Token { from, kept: token.kept, ..Token::bare(";") });
            }
            all.extend(hidden(self.filled(one, &arguments, depth), token, from));
            if one.parameters().is_none() {
                all.extend(behind());
            }
            stays = true;
        }
        Some(all)
    }

    /// Returns whether macros may stand within each other here; else nothing more is replaced.
    fn goes_deeper(&mut self, token: &Token, depth: usize) -> bool {
        let goes = depth < DEEPEST && token.hidden.count() < DEEPEST;
        if !goes {
            *self.budget = 0;
        }
        goes
    }

    /// Returns the body of a macro with its arguments in place of their names.
    fn filled(&mut self, one: &Macro, arguments: &[Vec<Token>], depth: usize) -> Vec<Token> {
        let mut made: Vec<Token> = Vec::new();
        let Definition { parameters, body } = one.definition();
        let pastes = |at: usize| body.get(at).is_some_and(|word| &**word == "##");
        // How many tokens the operand has that a `##` joins with the next.
        let mut operand = 0;
        for (at, word) in body.iter().enumerate().filter(|(at, _)| !pastes(*at)) {
            let is_pasted = at > 0 && pastes(at - 1);
            let names = parameters.iter().flatten();
            let argument = names.zip(arguments).find(|(name, _)| *name == word);
            if !self.spend(1 + argument.map_or(0, |(_, raw)| raw.len())) {
                break;
            }
            let mut by = match argument {
                Some((_, raw)) if is_pasted || pastes(at + 1) => raw.clone(),
                Some((_, raw)) => {
                    let mut by = Vec::new();
                    self.replace(&mut raw.clone(), depth + 1, &mut by);
                    by
                }
                None => vec![Token::bare(word.clone())],
            };
            if !is_pasted {
                operand = 0;
            } else if operand > 0
                && let (Some(last), Some(first)) = (made.last_mut(), by.first())
            {
                let joined = format!("{}{}", last.text, first.text);
                if words(&joined).count() == 1 {
                    last.text = joined.into();
                    last.is_painted = false;
                    by.remove(0);
                }
            }
            operand += by.len();
            made.extend(by);
        }
        made
    }

    /// Returns the call in parentheses that follows.
    fn call(&mut self, ahead: &[Token]) -> Option<Call> {
        ahead.last().filter(|token| token.is("("))?;
        let (mut depth, mut arguments) = (1, vec![Vec::new()]);
        for (length, token) in (2..).zip(ahead.iter().rev().skip(1)) {
            if !self.spend(1) || token.is_branch() {
                return None;
            }
            match &*token.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            match depth {
                0 => return Some(Call { arguments, length, end: token.from.end }),
                1 if token.is(",") => arguments.push(Vec::new()),
                _ => arguments.last_mut()?.push(token.clone()),
            }
        }
        None
    }
}

/// Returns what came out of a macro, whose name it hides.
fn hidden(
    made: impl IntoIterator<Item = Token>,
    of: &Token,
    from: Span,
) -> impl Iterator<Item = Token> {
    made.into_iter().map(move |token| {
        let others = if token.hidden.count() > 0 { token.hidden } else { of.hidden.clone() };
        Token { from, kept: of.kept, hidden: others.with(of.text.clone()), ..token }
    })
}
