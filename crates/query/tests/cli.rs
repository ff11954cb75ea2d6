//! The commands as a user types them; `tests/cmd` holds what they print.

#[test]
fn commands_print_what_is_documented() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
