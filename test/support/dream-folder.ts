/**
 * A made-up memory folder of 300 as it grows in years of use: copies, contradictions, dates that have gone by, paths that are
 * gone, descriptions that are too long, an index over its limit. What is wrong with each is known, since it was put there.
 */

export type Ailment = 'none' | 'copy' | 'contradicted' | 'relative-date' | 'dead-path' | 'long-description' | 'pinned';

export interface MadeUpMemory {
  readonly file: string;
  readonly text: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly ailment: Ailment;
  /** Words that stand in this one alone, or in its copies: what must not be lost. */
  readonly facts: readonly string[];
}

/** Some that say the same; the first is kept. */
export interface CopyGroup {
  readonly files: readonly string[];
}

/** What was said first, and what was said later. */
export interface Contradiction {
  readonly older: string;
  readonly newer: string;
}

export interface MadeUpFolder {
  readonly memories: ReadonlyMap<string, MadeUpMemory>;
  readonly copies: readonly CopyGroup[];
  readonly contradictions: readonly Contradiction[];
  readonly relativeDates: readonly { readonly file: string; readonly words: string; readonly day: string }[];
  readonly deadPaths: readonly { readonly file: string; readonly path: string; readonly sentence: string }[];
  readonly longDescriptions: readonly { readonly file: string; readonly short: string }[];
  /** MEMORY.md, without lines for some memories and with lines for some that are gone. */
  readonly index: string;
  readonly withoutLine: readonly string[];
  readonly staleLines: readonly string[];
  /** Files of the project, by path. */
  readonly project: Readonly<Record<string, string>>;
}

const COUNTS = { all: 300, groups: 14, groupSize: 3, contradictions: 15, dates: 20, paths: 20, long: 10, pinned: 6 };
const WITHOUT_LINE = 8;
const STALE_LINES = 8;
/** A Monday. */
const WRITTEN = '2026-05-04T09:00:00.000Z';

const SYSTEMS =
  'Kestrel Harbourline Quillgraph Trellium Brightwater Falcon Osprey Lanternfish Copperfield Marigold Saltmarsh Thornbury Wexford Juniper Ironbridge Pemberton Larkspur Hollowell Greyfriar Bluestem Cinderwick Dunmore Everglen Foxhollow Gallantry'.split(
    ' ',
  );
const OWNERS =
  'Mira Oskar Pilar Tomas Anneke Bruno Chiara Dmitri Esther Farid Greta Hamid Ingrid Joao Keiko Lucia Matteo Nadia Orla Priya'.split(
    ' ',
  );

interface Aspect {
  readonly slug: string;
  readonly type: 'project' | 'feedback' | 'reference' | 'user';
  readonly name: (system: string) => string;
  readonly fact: (system: string, owner: string, code: string) => string;
  readonly why: (owner: string, code: string) => string;
  readonly how: (owner: string) => string;
}

const ASPECTS: readonly Aspect[] = [
  {
    slug: 'cutover',
    type: 'project',
    name: (system) => `${system} cutover`,
    fact: (system, owner, code) => `${owner} leads the cutover of ${system} under ticket ${code}.`,
    why: (owner) => `The old contract ends and ${owner} signed the new one.`,
    how: () => 'Keep both sides readable until the auditors have looked.',
  },
  {
    slug: 'freeze',
    type: 'project',
    name: (system) => `${system} freeze`,
    fact: (system, owner, code) => `Merges into ${system} stop while ${owner} reconciles batch ${code}.`,
    why: () => 'The ledger must not move under the reconciliation.',
    how: (owner) => `Ask ${owner} before a branch is merged.`,
  },
  {
    slug: 'vendor',
    type: 'project',
    name: (system) => `${system} vendor`,
    fact: (system, owner, code) => `The supplier for ${system} is renewed by ${owner} under agreement ${code}.`,
    why: () => 'A lapse would switch the address data off.',
    how: (owner) => `Send invoices to ${owner} in the first week of a quarter.`,
  },
  {
    slug: 'outage',
    type: 'project',
    name: (system) => `${system} outage`,
    fact: (system, _owner, code) => `The outage of ${system}, incident ${code}, came from an expired certificate.`,
    why: (owner) => `Nobody owned the renewal before ${owner} took it.`,
    how: (owner) => `Certificates belong to ${owner} now.`,
  },
  {
    slug: 'pilot',
    type: 'project',
    name: (system) => `${system} pilot`,
    fact: (system, owner, code) => `${owner} runs the ${system} pilot with customer group ${code}.`,
    why: () => 'Legal wants a small group before the contract is signed.',
    how: (owner) => `Report numbers of the group to ${owner} alone.`,
  },
  {
    slug: 'reviews',
    type: 'feedback',
    name: (system) => `Reviews for ${system}`,
    fact: (system, _owner, code) => `Reviews of ${system} name the worst problem first and cite rule ${code}.`,
    why: (owner) => `${owner} reads them on a phone between meetings.`,
    how: () => 'At most a handful of remarks, the gravest on top.',
  },
  {
    slug: 'wording',
    type: 'feedback',
    name: (system) => `Wording for ${system}`,
    fact: (system, _owner, code) => `Messages of ${system} follow the style sheet ${code}, plain and short.`,
    why: (owner) => `${owner} translates them by hand for Osaka.`,
    how: () => 'One idea a sentence, no idioms.',
  },
  {
    slug: 'estimates',
    type: 'feedback',
    name: (system) => `Estimates for ${system}`,
    fact: (system, owner, code) => `Estimates for ${system} come as a range, in sheet ${code}, agreed with ${owner}.`,
    why: () => 'A single figure was held against the team once.',
    how: () => 'Give the lower and the upper bound together.',
  },
  {
    slug: 'board',
    type: 'reference',
    name: (system) => `${system} board`,
    fact: (system, owner, code) => `Tickets of ${system} are on board ${code} of the tracker; ${owner} labels them.`,
    why: () => '',
    how: () => '',
  },
  {
    slug: 'runbook',
    type: 'reference',
    name: (system) => `${system} runbook`,
    fact: (system, owner, code) =>
      `The failover runbook of ${system} is chapter ${code} of the handbook that ${owner} keeps.`,
    why: () => '',
    how: () => '',
  },
  {
    slug: 'dashboard',
    type: 'reference',
    name: (system) => `${system} dashboard`,
    fact: (system, owner, code) => `Latency of ${system} is on dashboard ${code}; ${owner} grants access.`,
    why: () => '',
    how: () => '',
  },
  {
    slug: 'knows',
    type: 'user',
    name: (system) => `Knows ${system}`,
    fact: (system, owner, code) => `${owner} wrote the first version of ${system} and teaches course ${code} about it.`,
    why: () => '',
    how: () => '',
  },
];

interface Draft {
  file: string;
  type: string;
  name: string;
  description: string;
  body: string;
  more: string;
  ailment: Ailment;
  facts: string[];
}

export function madeUpFolder(): MadeUpFolder {
  const drafts = Array.from({ length: COUNTS.all }, (_, at) => ordinary(at));
  const take = takeFrom(drafts);
  const copies = Array.from({ length: COUNTS.groups }, () => copyGroup(take('project', 'feedback'), drafts, take));
  const contradictions = Array.from({ length: COUNTS.contradictions }, (_, at) =>
    contradict(take('project'), take, at),
  );
  const relativeDates = Array.from({ length: COUNTS.dates }, (_, at) => withRelativeDate(take('project'), at));
  const deadPaths = Array.from({ length: COUNTS.paths }, (_, at) => withDeadPath(take('project', 'reference'), at));
  const longDescriptions = Array.from({ length: COUNTS.long }, () => withLongDescription(take('project', 'feedback')));
  for (let at = 0; at < COUNTS.pinned; at++) {
    const draft = take('feedback', 'user', 'reference');
    Object.assign(draft, { ailment: 'pinned', more: `${draft.more}pinned: true\n` });
  }
  const memories = new Map(drafts.map((draft) => [draft.file, { ...draft, text: textOf(draft) }]));
  return {
    memories,
    copies,
    contradictions,
    relativeDates,
    deadPaths,
    longDescriptions,
    ...indexOf(drafts),
    project: PROJECT,
  };
}

const PROJECT = {
  'README.md': '# Ledger services\n',
  'src/ledger/close.ts': 'export function closeLedger() {}\n',
  'src/search/query.ts': 'export function query() {}\n',
  'docs/handbook.md': '# Handbook\n',
};

function ordinary(at: number): Draft {
  const aspect = ASPECTS[at % ASPECTS.length]!;
  const system = SYSTEMS[Math.floor(at / ASPECTS.length)]!;
  const owner = OWNERS[(at * 7) % OWNERS.length]!;
  const code = `${system.slice(0, 2).toUpperCase()}-${1000 + at * 17}`;
  const fact = aspect.fact(system, owner, code);
  const why = aspect.why(owner, code);
  const body = why === '' ? fact : `${fact}\n\n**Why:** ${why}\n\n**How to apply:** ${aspect.how(owner)}`;
  const name = aspect.name(system);
  return {
    ...{ file: `${aspect.type}_${system.toLowerCase()}-${aspect.slug}.md`, type: aspect.type, name, body },
    ...{ description: `${name}: ${owner}, ${code}`, more: `created: ${WRITTEN}\nmodified: ${WRITTEN}\n` },
    ...{ ailment: 'none' as const, facts: [code] },
  };
}

type Take = (...types: string[]) => Draft;

/** The next one of the types that nothing is wrong with yet, from all over the folder. */
function takeFrom(drafts: readonly Draft[]): Take {
  let at = 0;
  return (...types) => {
    for (;;) {
      at = (at + 37) % drafts.length;
      const draft = drafts[at]!;
      if (draft.ailment === 'none' && types.includes(draft.type)) return draft;
    }
  };
}

/** One word for word, the others nearly so, each with something of its own. */
function copyGroup(kept: Draft, drafts: readonly Draft[], take: Take): CopyGroup {
  kept.ailment = 'copy';
  const others = Array.from({ length: COUNTS.groupSize - 1 }, (_, at) => {
    const other = take(kept.type);
    const own = `EX-${5000 + drafts.indexOf(other)}`;
    const extra = at === 0 ? '' : `The minutes are filed as ${own}.`;
    Object.assign(other, {
      ailment: 'copy',
      name: `${kept.name} again`,
      description: at === 0 ? kept.description : `${kept.description}, minutes ${own}`,
      body: at === 0 ? kept.body : kept.body.replace('\n', ` ${extra}\n`),
      facts: at === 0 ? kept.facts : [...kept.facts, own],
      file: `${kept.file.replace(/\.md$/, '')}-${at + 2}.md`,
    });
    return other.file;
  });
  return { files: [kept.file, ...others] };
}

const PLACES = ['Room Aspen', 'Room Birch', 'Room Cedar', 'Room Dogwood', 'Room Elder'];

function contradict(older: Draft, take: Take, at: number): Contradiction {
  const [first, second] = [PLACES[at % PLACES.length]!, PLACES[(at + 2) % PLACES.length]!];
  const newer = take('project');
  const add = (draft: Draft, sentence: string) => draft.body.replace('\n', ` ${sentence}\n`);
  const plain = older.body;
  Object.assign(older, { ailment: 'contradicted', body: add(older, `The team meets in ${first} on Mondays.`) });
  Object.assign(newer, {
    ...{ ailment: 'contradicted', name: `${older.name} since June`, facts: older.facts },
    description: `${older.description}, meets in ${second}`,
    body: plain.replace('\n', ` Since 2026-06-${String(10 + at)} the team meets in ${second} on Mondays.\n`),
    more: `created: 2026-06-20T09:00:00.000Z\nmodified: 2026-06-20T09:00:00.000Z\n`,
    file: `${older.file.replace(/\.md$/, '')}-june.md`,
  });
  return { older: older.file, newer: newer.file };
}

const DAYS: readonly (readonly [words: string, day: string])[] = [
  ['tomorrow', '2026-05-05'],
  ['next Friday', '2026-05-08'],
  ['yesterday', '2026-05-03'],
  ['next Thursday', '2026-05-07'],
];

function withRelativeDate(draft: Draft, at: number) {
  const [words, day] = DAYS[at % DAYS.length]!;
  const verb = words === 'yesterday' ? 'was checked' : 'is checked';
  Object.assign(draft, {
    ailment: 'relative-date',
    body: draft.body.replace('\n', ` The handover ${verb} ${words}.\n`),
  });
  return { file: draft.file, words, day };
}

function withDeadPath(draft: Draft, at: number) {
  const path = `src/legacy/step-${at + 1}.ts`;
  const sentence = ` The import still lives in \`${path}\`.`;
  const [first = '', ...rest] = draft.body.split('\n');
  Object.assign(draft, { ailment: 'dead-path', body: [`${first}${sentence}`, ...rest].join('\n') });
  return { file: draft.file, path, sentence };
}

function withLongDescription(draft: Draft) {
  const short = draft.description;
  const long = `${short}. ${draft.body.replace(/\*\*[^*]+\*\*/g, '').replace(/\s+/g, ' ')}`;
  Object.assign(draft, { ailment: 'long-description', description: long.replaceAll(': ', ', ') });
  return { file: draft.file, short: short.replaceAll(': ', ', ') };
}

function textOf({ name, description, type, more, body }: Draft): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\ntype: ${type}\n${more}---\n\n${body}\n`;
}

function indexOf(drafts: readonly Draft[]) {
  const withoutLine = drafts.filter((_, at) => at % Math.floor(COUNTS.all / WITHOUT_LINE) === 5).slice(0, WITHOUT_LINE);
  const staleLines = Array.from({ length: STALE_LINES }, (_, at) => `project_gone-${at + 1}.md`);
  const lines = [
    ...drafts
      .filter((draft) => !withoutLine.includes(draft))
      .map(({ name, file, description }) => `- [${name}](${file}) — ${description}`),
    ...staleLines.map((file, at) => `- [Gone ${at + 1}](${file}) — was here once`),
  ];
  return {
    index: `# Memory\n\n${lines.join('\n')}\n`,
    withoutLine: withoutLine.map(({ file }) => file),
    staleLines,
  };
}
