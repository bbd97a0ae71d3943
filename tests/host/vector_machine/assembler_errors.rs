//! Each rule that the assembler refuses a program for: the place, the words, the caret.

use quadrille::{Kind, Place};
use quadrille_vp::vector_machine::isa::Opcode;
use quadrille_vp::vector_machine::program::LONGEST_TEXT;
use quadrille_vp::vector_machine::{AssemblyError, DProgram, Profile};

fn modern(text: &str) -> DProgram {
    DProgram::parse("a.vp", text, Profile::Modern).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str, profile: Profile) -> AssemblyError {
    match DProgram::parse("a.vp", text, profile) {
        Ok(program) => panic!("taken as\n{program}"),
        Err(error) => error,
    }
}

/// The text is refused under both profiles, at this line and column, in these words.
#[track_caller]
fn refuses(text: &str, (line, column): (usize, usize), words: &str) {
    for profile in Profile::ALL {
        let error = refused(text, profile);
        assert_refusal(&error, (line, column), words);
    }
}

#[track_caller]
fn assert_refusal(error: &AssemblyError, (line, column): (usize, usize), words: &str) {
    let message = error.rule.to_string();
    let place = Place::line("a.vp", line).at_column(column);
    assert!(message.contains(words), "{message}\nlacks\n{words}");
    assert_eq!(error.place, place, "{error}");
    assert_eq!((error.kind(), error.place()), (Kind::Input, Some(&place)));
    assert_eq!((error.excerpt.line, error.excerpt.column), (line, Some(column)));
}

#[test]
fn an_error_shows_the_line_and_a_caret() {
    let text = "MOV R1, v[1];\n\tADD R2, R1, v[16]; # beyond\nMOV o[1], R2;\n";
    let shown = refused(text, Profile::Modern).to_string();
    assert_eq!(
        shown,
        "a.vp:2:16: there is no v[16]: expected v[1] to v[15]\n    \
         2 | \tADD R2, R1, v[16]; # beyond\n      | \t              ^"
    );
}

#[test]
fn a_mark_of_utf_8_at_the_beginning_is_no_part_of_the_text() {
    let text = "\u{feff}!!VP1.1\nMOV o[1], v[1];\nEND";
    assert_eq!(modern(text).instructions().len(), 1);
    refuses("\u{feff}MOX R0, v[1];", (1, 1), "no instruction MOX");
    refuses("MOV R0, \u{feff}v[1];", (1, 9), "'\\u{feff}' (U+FEFF) is not part of the assembly");
}

#[test]
fn controls_are_not_sent_to_the_terminal() {
    let shown = refused("MOV R0, \x1b[31m\0\rv[16];", Profile::Modern).to_string();
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    let lines: Vec<&str> = shown.lines().collect();
    let caret = lines[2].chars().count() - 1;
    assert_eq!(lines[1].chars().nth(caret), Some('\u{241b}'), "{shown}");
}

#[test]
fn headers_and_ends() {
    refuses("!!VSP1.0\nMOV c[0], v[0];\nEND", (1, 1), "!!VSP1.0 begins a vertex state program");
    refuses(
        "\n !!ARBvp1.0\nEND",
        (2, 2),
        "begin with !!ARBvp1.0 are not supported: expected !!VP1.0",
    );
    refuses("!!VP1.2 END", (1, 1), "!!VP1.2");
    refuses("!!VP1.1\nMOV R0, R1;\n", (2, 12), "expected END behind the last instruction");
    refuses("!!VP1.0", (1, 8), "program that begins with !!VP1.0, got the end of the text");
    refuses("MOV R0, R1; END\nMOV R1, R0;", (2, 1), "expected nothing behind END, got `MOV`");
    refuses(
        "!!VP1.1\nEND",
        (2, 1),
        "expected instructions, such as `MOV o[COL0], v[1];`, got none",
    );
    refuses("", (1, 1), "expected instructions");
    refuses("# only a comment\n", (1, 1), "expected instructions");
    refuses("MOV R0, R1;\n!!VP1.1\nEND", (2, 1), "expected an instruction, got `!!VP1.1`");
}

#[test]
fn options() {
    let line = "!!VP1.1\nOPTION NV_position_invariant;\nMOV R0, R1;\nEND";
    refuses(line, (2, 8), "the framework writes it: remove the line");
    refuses("!!VP1.1 OPTION NV_fog; END", (1, 16), "there is no option NV_fog");
    refuses("!!VP1.1 OPTION ;", (1, 16), "expected the option's name, got `;`");
}

#[test]
fn opcodes() {
    refuses("MOV R0, R1;\n  MULT R0, R1, R1;", (2, 3), "no instruction MULT: perhaps MUL is meant");
    refuses("mov R0, R1;", (1, 1), "no instruction mov: perhaps MOV is meant");
    refuses("DIV R0, R1;", (1, 1), "no instruction DIV: expected one of ARL MOV MUL ADD MAD");
    refuses("end", (1, 1), "no instruction end");
    refuses("R0 = R1;", (1, 1), "no instruction R0");
    refuses(";", (1, 1), "expected an instruction, got `;`");
    for opcode in ["DPH", "RCC", "SUB", "ABS"] {
        let words = format!(
            "{opcode} is not among the instructions of !!VP1.0: begin the program with !!VP1.1"
        );
        refuses(&format!("!!VP1.0\n{opcode} R0, R1.x, R2.x; END"), (2, 1), &words);
    }
}

#[test]
fn operand_counts_and_punctuation() {
    refuses("MUL R0, R1;", (1, 11), "MUL takes 2 operands behind its destination, got 1");
    refuses("MOV R0;", (1, 7), "MOV takes 1 operand behind its destination, got 0");
    refuses("MAD R0, R1, R2;", (1, 15), "MAD takes 3 operands behind its destination, got 2");
    refuses("MOV R0, R1, R2;", (1, 11), "MOV takes 1 operand behind its destination, got more");
    refuses("MOV ;", (1, 5), "expected a register to write: R0, R1 ..., o[COL0] ...");
    refuses("MOV R0, ;", (1, 9), "expected a register to read: R0, R1 ..., v[1] ...");
    refuses("MOV R0, R1\nMOV R2, R3;", (1, 11), "expected `;` behind this instruction, got `MOV`");
    refuses("MOV R0, R1 # ;\n\n", (1, 11), "expected `;` behind this instruction, got the end");
    refuses("ADD R0, R1 R2;", (1, 12), "expected `,` and operand 2 of ADD, got `R2`");
    refuses("MOV R0 R1;", (1, 8), "expected `,` and operand 1 of MOV, got `R1`");
    refuses("MOV R0, +R1;", (1, 9), "expected a register to read");
    refuses("MOV R0, --R1;", (1, 10), "expected a register to read");
    refuses("MOV -R0, R1;", (1, 5), "expected a register to write");
    refuses("MOV R0, v(1);", (1, 10), "the character '(' (U+0028) is not part of the assembly");
    let divided = "the character '/' (U+002F) is not part of the assembly: expected `;` behind";
    refuses("MOV R0, v[1] / 2;", (1, 14), divided);
    for (text, at) in [("// x", (1, 1)), ("MOV R0, v[1]; // x", (1, 15)), ("MOV R0, // x", (1, 9))]
    {
        refuses(text, at, "// begins no comment in the assembly: comments begin with #");
    }
    refuses("MOV R0, v[1]; /* x */", (1, 15), "/* begins no comment");
    refuses("MOV R0, v 1;", (1, 11), "expected `[` behind v, got `1`");
    refuses("MOV R0, v[1;", (1, 12), "expected `]` behind the register, got `;`");
    refuses("MOV R0, c[1;", (1, 12), "expected `]` behind the constant's number, got `;`");
    refuses(
        "MOV R0, v[];",
        (1, 11),
        "expected the number or the name of a register v[...], got `]`",
    );
}

#[test]
fn registers_that_do_not_exist() {
    refuses("MOV R0, R;", (1, 9), "there is no register R: expected R0, R1 ..., v[1] ...");
    refuses("MOV R0, r1;", (1, 9), "there is no register r1");
    refuses("MOV r0, R1;", (1, 5), "there is no register r0: expected R0, R1 ..., o[COL0] ...");
    refuses("MOV R-1, R1;", (1, 5), "there is no register R:");
    refuses("MOV R0, 1;", (1, 9), "there is no register 1");
    refuses("MOV R0, v[16];", (1, 11), "there is no v[16]: expected v[1] to v[15]");
    refuses("MOV o[15], R0;", (1, 7), "there is no o[15]: expected o[1] to o[14]");
    refuses(
        "MOV R0, v[TEX8];",
        (1, 11),
        "no v[TEX8]: expected a number from 1 to 15, or one of WGHT",
    );
    refuses("MOV R0, v[HPOS];", (1, 11), "FOGC TEX0");
    refuses(
        "MOV o[OPOS], R0;",
        (1, 7),
        "no o[OPOS]: expected a number from 1 to 14, or one of COL0",
    );
    refuses("MOV R0, v[col0];", (1, 11), "no v[col0]");
    refuses("MOV R0, c[x];", (1, 11), "expected a number from 0 to");
    refuses("MOV R0, c[-1];", (1, 11), "expected a number from 0 to");
}

#[test]
fn registers_beyond_the_profile() {
    let period = |text: &str, place, words: &str| {
        assert_refusal(&refused(text, Profile::Period), place, words);
        modern(text);
    };
    let remedy = "the modern profile has more";
    period("MOV R0, R12;", (1, 9), &format!("no R12: the period profile has R0 to R11; {remedy}"));
    period("MOV R12, R0;", (1, 5), "no R12: the period profile has R0 to R11");
    period("MOV R0, c[96];", (1, 11), "no c[96]: the period profile has c[0] to c[95]");
    refuses("MOV R0, c[4096];", (1, 11), "there is no c[4096]");
    refuses("MOV R4096, R0;", (1, 5), "there is no R4096");
    let shown = refused("MOV R4096, R0;", Profile::Modern).rule.to_string();
    assert_eq!(shown, "there is no R4096: the modern profile has R0 to R4095");
    for profile in Profile::ALL {
        let (r, c) = (profile.temporaries() - 1, profile.constants() - 1);
        let last = format!("MOV R{r}, c[{c}];");
        DProgram::parse("a.vp", &last, profile).unwrap();
    }
}

#[test]
fn gigantic_numbers_are_cut_in_the_message() {
    let digits = "9".repeat(100_000);
    let shown = "9".repeat(37);
    refuses(&format!("MOV R0, R{digits};"), (1, 9), &format!("there is no R{shown}"));
    refuses(&format!("MOV R0, c[{digits}];"), (1, 11), &format!("there is no c[{shown}"));
    refuses(&format!("MOV R0, v[{digits}];"), (1, 11), &format!("there is no v[{shown}"));
    refuses(&format!("MOV R0, c[A0.x - {digits}];"), (1, 18), &format!("got -{shown}"));
    for text in [format!("MOV R0, R{digits};"), format!("MOV R0.{digits}, R0;"), digits.clone()] {
        assert!(refused(&text, Profile::Modern).to_string().len() < 600);
    }
    refuses("MOV R0, R18446744073709551616;", (1, 9), "there is no R18446744073709551616");
    refuses("MOV R0, c[4294967296];", (1, 11), "there is no c[4294967296]");
}

#[test]
fn masks_and_swizzles() {
    refuses(
        "MOV R0.zx, R1;",
        (1, 8),
        "\"zx\" is no write mask: expected letters of xyzw in this order",
    );
    refuses("MOV R0.wyx, R1;", (1, 8), "write .xyw");
    refuses("MOV R0.xx, R1;", (1, 8), "each at most once; write .x");
    refuses("MOV R0.q, R1;", (1, 8), "\"q\" is no write mask");
    refuses("MOV o[COL0].rgb, R1;", (1, 13), "\"rgb\" is no write mask");
    refuses("MOV R0., R1;", (1, 8), "expected letters of xyzw behind `.`, got `,`");
    refuses(
        "MOV R0, R1.xy;",
        (1, 12),
        "\"xy\" is no swizzle: expected one letter of xyzw, or four",
    );
    refuses("MOV R0, R1.xyz;", (1, 12), "\"xyz\" is no swizzle");
    refuses("MOV R0, R1.xyzq;", (1, 12), "\"xyzq\" is no swizzle");
    refuses("MOV R0, R1.xyzwx;", (1, 12), "\"xyzwx\" is no swizzle");
    refuses("MOV R0, R1.;", (1, 12), "expected one letter of xyzw, or four behind `.`, got `;`");
    refuses("MOV R0, R1.X;", (1, 12), "\"X\" is no swizzle");
}

#[test]
fn opcodes_of_one_component() {
    for opcode in Opcode::ALL.into_iter().filter(|opcode| opcode.is_scalar()) {
        let destination = if opcode == Opcode::Arl { "A0.x" } else { "R0.y" };
        let name = opcode.name();
        let start = format!("{name} {destination}, ");
        let words = format!("{name} reads one component, which must be named");
        refuses(&format!("{start}R1;"), (1, 11), &words);
        refuses(&format!("{start}R1.xyzw;"), (1, 11), "as in R1.x, got \"xyzw\"");
        refuses(&format!("{start}-c[2].xx;"), (1, 12), "as in c[2].x, got \"xx\"");
    }
    modern("MUL R0, R1.x, R2.y;");
}

#[test]
fn what_can_be_read_and_written() {
    refuses("MOV R0, o[COL0];", (1, 9), "outputs cannot be read");
    refuses("MOV v[1], R0;", (1, 5), "inputs cannot be written");
    refuses("MOV c[1], R0;", (1, 5), "constants cannot be written by a program");
    for name in ["HPOS", "0", "00"] {
        let words = "which says where the result is stored: the framework writes it";
        refuses(&format!("MOV o[{name}], R0;"), (1, 5), words);
    }
    for name in ["OPOS", "0"] {
        let words = "holds the framework's position: the vectors' quads begin at v[1]";
        refuses(&format!("MOV R0, v[{name}];"), (1, 9), words);
    }
}

#[test]
fn the_address_register() {
    refuses("MOV A0.x, R0.x;", (1, 5), "only ARL writes A0.x, got MOV: write ARL A0.x");
    refuses("ARL R0, R0.x;", (1, 5), "ARL writes only A0.x, got a temporary register");
    refuses("ARL o[1], R0.x;", (1, 5), "ARL writes only A0.x, got an output");
    refuses("ARL A0, R0.x;", (1, 7), "expected `.x` behind A0, got `,`");
    refuses("ARL A0.y, R0.x;", (1, 8), "expected `x`, the one component of A0, got `y`");
    refuses("ARL A0.xy, R0.x;", (1, 8), "got `xy`");
    refuses("ARL A0.x.x, R0.x;", (1, 9), "expected `,` and operand 1 of ARL, got `.`");
    refuses("MOV R0, A0.x;", (1, 9), "A0.x can be read only as the index of a constant");
    refuses("MOV R0, c[A0];", (1, 13), "expected `.x` behind A0, got `]`");
    refuses("MOV R0, c[A0.w];", (1, 14), "expected `x`");
    refuses("MOV R0, v[A0.x];", (1, 11), "no v[A0]");
    refuses(
        "MOV R0, c[A0.x + 64];",
        (1, 18),
        "expected an offset from -64 to 63 behind A0.x, got 64",
    );
    refuses(
        "MOV R0, c[A0.x - 65];",
        (1, 18),
        "expected an offset from -64 to 63 behind A0.x, got -65",
    );
    refuses("MOV R0, c[A0.x + -1];", (1, 18), "expected a number, got `-`");
    refuses("MOV R0, c[A0.x + y];", (1, 18), "expected a number, got `y`");
    refuses("MOV R0, c[A0.x 1];", (1, 16), "expected `+`, `-` or `]` behind A0.x, got `1`");
    // It is zero until it is loaded, as temporaries are.
    assert!(modern("MOV R0, c[A0.x + 1];").uses_relative());
}

#[test]
fn an_instruction_reads_one_input_and_one_constant() {
    refuses(
        "ADD R0, v[1], v[2];",
        (1, 15),
        "one input register, got v[1] and v[2]: MOV one of them",
    );
    refuses("MAD R0, v[3], R1, v[WGHT];", (1, 19), "got v[3] and v[1]");
    refuses("ADD R0, c[1], -c[2];", (1, 15), "one constant register, got c[1] and c[2]");
    refuses("ADD R0, c[A0.x+1], c[A0.x+2];", (1, 20), "got c[A0.x + 1] and c[A0.x + 2]");
    refuses("MAD R0, c[1], c[1], c[A0.x+1];", (1, 21), "got c[1] and c[A0.x + 1]");
    modern(
        "MAD R0, v[1], -v[1].x, v[WGHT]; MAD R0, c[1], v[2], -c[1]; ADD R0, c[A0.x], c[A0.x+0];",
    );
}

#[test]
fn characters_outside_the_assembly() {
    refuses(
        "MOV R0, R1; \u{e9}",
        (1, 13),
        "the character 'é' (U+00E9) is not part of the assembly",
    );
    refuses("MOV R0, R1;\u{feff}", (1, 12), "(U+FEFF)");
    refuses("MOV R0, R\u{2460};", (1, 9), "there is no register R:");
    refuses("MOV R0, R1\u{3b};\u{37e}", (1, 12), "expected an instruction, got `;`");
    refuses("MOV R0, R1\u{37e}", (1, 11), "(U+037E)");
    refuses("MOV R0, \0R1;", (1, 9), "(U+0000)");
    refuses("MOV R0,\u{a0}R1;", (1, 8), "(U+00A0)");
    refuses("# \u{1F600}\nMOV R0, R1\u{1F600};", (2, 11), "(U+1F600)");
}

#[test]
fn a_period_program_has_127_instructions_of_its_own() {
    let lines = |count| "MOV R0, R1;\n".repeat(count);
    assert_eq!(
        DProgram::parse("a.vp", &lines(127), Profile::Period).unwrap().instructions().len(),
        127
    );
    let error = refused(&lines(128), Profile::Period);
    let words =
        "this is instruction 128, and the period profile runs 128, 1 of them the framework's own";
    assert_refusal(&error, (128, 1), words);
    assert_eq!(modern(&lines(10_000)).instructions().len(), 10_000);
}

#[test]
fn a_text_has_a_longest_length() {
    let line = "MOV R0, R1;";
    let padded = |length: usize| format!("{line}{}", " ".repeat(length - line.len()));
    modern(&padded(LONGEST_TEXT));
    let words = "expected a program of at most 1048576 bytes, got more than that";
    refuses(&padded(LONGEST_TEXT + 1), (1, 1), words);
}
