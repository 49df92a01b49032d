/** What a sandboxed script knows of the user's environment: an allow-list, and settings that keep git from running programs. */

/** Names whose values say how to show something; none of them names a program, a file of the user's or a key. */
const PASSED = [
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_ADDRESS', 'LC_COLLATE', 'LC_CTYPE', 'LC_IDENTIFICATION', 'LC_MEASUREMENT'],
  ...['LC_MESSAGES', 'LC_MONETARY', 'LC_NAME', 'LC_NUMERIC', 'LC_PAPER', 'LC_TELEPHONE', 'LC_TIME', 'TERM', 'TZ'],
  ...['COLORTERM', 'COLUMNS', 'LINES', 'NO_COLOR', 'FORCE_COLOR', 'USER', 'LOGNAME'],
];
/** As locales, zones, terminals and user names are spelled; whatever else is in such a variable does not belong there. */
const PLAIN_VALUE = /^[\w.@:+/,-]{1,64}$/;

/** Put above what the repository itself says. Its own programs would do no harm in there, and still have no business to run. */
const GIT_OPTIONS: Readonly<Record<string, string>> = {
  'safe.directory': '*',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'true',
  'core.sshCommand': 'false',
  'credential.helper': '',
  'log.showSignature': 'false',
  'gc.auto': '0',
};

const FIXED: Readonly<Record<string, string>> = {
  SHELL: '/bin/bash',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

export function sandboxEnvironment(
  given: Readonly<Record<string, string | undefined>>,
  places: { readonly path: string; readonly home: string; readonly scratch: string },
): Record<string, string> {
  const passed = PASSED.flatMap((name) => {
    const value = given[name];
    return value !== undefined && PLAIN_VALUE.test(value) ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(passed),
    ...FIXED,
    ...gitOptions(),
    PATH: places.path,
    HOME: places.home,
    TMPDIR: places.scratch,
  };
}

function gitOptions(): Record<string, string> {
  const options = Object.entries(GIT_OPTIONS);
  const pairs = options.flatMap(([key, value], position) => [
    [`GIT_CONFIG_KEY_${position}`, key],
    [`GIT_CONFIG_VALUE_${position}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(options.length), ...Object.fromEntries(pairs) };
}
