/** Short names that developers use for one thing, whoever they are. What only one team says stands in `aliases:` of a memory. */

/** One thing a line, in lower case. Only what means nothing else in a note: "go" and "ts" do. */
const COMMON_ALIASES: readonly (readonly string[])[] = [
  ['kubernetes', 'k8s', 'kube'],
  ['github actions', 'gha'],
  ['postgres', 'postgresql', 'pg', 'psql'],
  ['javascript', 'js'],
  ['terraform', 'tf'],
  ['internationalization', 'internationalisation', 'i18n'],
  ['localization', 'localisation', 'l10n'],
  ['accessibility', 'a11y'],
  ['observability', 'o11y'],
  ['pull request', 'merge request'],
  ['environment variable', 'env var'],
  ['cloudformation', 'cfn'],
  ['google cloud', 'gcp'],
  ['amazon web services', 'aws'],
  ['virtual machine', 'vm'],
  ['end to end', 'end-to-end', 'e2e'],
  ['single sign on', 'single sign-on', 'sso'],
  ['two factor', 'two-factor', '2fa', 'mfa'],
  ['role based access', 'role-based access', 'rbac'],
  ['machine learning', 'ml'],
  ['large language model', 'llm'],
  ['content delivery network', 'cdn'],
  ['command line', 'command-line', 'cli'],
  ['vs code', 'vscode', 'visual studio code'],
  ['node.js', 'nodejs'],
  ['ruby on rails', 'ror'],
];

const WORD = /[a-z0-9]+/g;

/** By the first word of a name, so that a text is read once. */
const byFirstWord = new Map<string, { readonly words: readonly string[]; readonly group: number }[]>();
for (const [group, names] of COMMON_ALIASES.entries()) {
  for (const name of names) {
    const words = name.match(WORD)!;
    const others = byFirstWord.get(words[0]!) ?? [];
    byFirstWord.set(words[0]!, [...others, { words, group }]);
  }
}

/** What else is called by the names in a text; empty for most. */
export function commonAliasesIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  const groups = new Set<number>();
  for (const [at, word] of words.entries()) {
    for (const named of byFirstWord.get(word) ?? []) {
      if (named.words.every((each, step) => words[at + step] === each)) groups.add(named.group);
    }
  }
  return [...groups].flatMap((group) => COMMON_ALIASES[group]!);
}
