/** Facts for stories about evidence: what a user says, and the memory that a model makes of it. */

import type { MemoryType } from '../../src/base/taxonomy.ts';

export interface Fact {
  readonly type: MemoryType;
  readonly name: string;
  /** One whole sentence, as the user would type it. */
  readonly said: string;
  /** A few words from the middle of it. */
  readonly part: string;
  /** The same in words that nobody typed. */
  readonly paraphrase: string;
  /** What the model writes as the memory. */
  readonly body: string;
  /** A yes in the language of the conversation. */
  readonly yes: string;
  /** The memory is in another language than the words: no word of it can be compared. */
  readonly isTranslated?: true;
}

const YES = 'Yes, keep that.';

export const FACTS: readonly Fact[] = [
  {
    type: 'user',
    name: 'Night nurse',
    said: 'I work as a nurse on the night shift in Oslo.',
    part: 'nurse on the night shift',
    paraphrase: 'my job is nursing through the nights up there',
    body: 'The user works as a nurse on the night shift in Oslo.',
    yes: YES,
  },
  {
    type: 'user',
    name: 'Rust beginner',
    said: "I'm new to Rust, but I have written Haskell for ten years.",
    part: 'written Haskell for ten years',
    paraphrase: 'a decade of functional programming stands behind me',
    body: 'The user is new to Rust and has written Haskell for ten years.',
    yes: 'Yes please.',
  },
  {
    type: 'feedback',
    name: 'Real database',
    said: 'Integration tests must run against the real database, since the mock hid a broken migration.',
    part: 'run against the real database',
    paraphrase: 'no fakes in place of postgres when checking things end to end',
    body: 'Run integration tests against the real database.\n\n**Why:** The mock hid a broken migration.\n**How to apply:** In every integration test.',
    yes: YES,
  },
  {
    type: 'feedback',
    name: 'Imperative commits',
    said: 'Write every commit message in the imperative mood, please.',
    part: 'commit message in the imperative',
    paraphrase: 'git subjects ought to sound like orders',
    body: 'Write commit messages in the imperative mood.\n\n**Why:** The user asked for it.\n**How to apply:** With every commit.',
    yes: 'Ok, do that.',
  },
  {
    type: 'feedback',
    name: 'No Friday deployments',
    said: 'We never deploy on Fridays, because nobody is around to roll back.',
    part: 'never deploy on Fridays',
    paraphrase: 'shipping before the weekend is forbidden',
    body: 'Never deploy on Fridays.\n\n**Why:** Nobody is around to roll back.\n**How to apply:** Wait until Monday.',
    yes: 'Exactly, remember that.',
  },
  {
    type: 'project',
    name: 'Ferry audit',
    said: 'Ines leads the audit of the ferry line until the end of March.',
    part: 'the audit of the ferry line',
    paraphrase: 'that inspection is in the hands of somebody from Lisbon',
    body: 'Ines leads the audit of the ferry line until the end of March.\n\n**Why:** It was decided.\n**How to apply:** Ask Ines.',
    yes: YES,
  },
  {
    type: 'reference',
    name: 'Latency boards',
    said: 'The latency boards of the checkout are in Grafana under the folder Harbour.',
    part: 'in Grafana under the folder Harbour',
    paraphrase: 'dashboards can be found with the monitoring people',
    body: 'Latency boards of the checkout: Grafana, folder Harbour.',
    yes: YES,
  },
  {
    type: 'user',
    name: 'Hebamme',
    said: 'Ich arbeite als Hebamme in einem kleinen Krankenhaus bei Lübeck.',
    part: 'Hebamme in einem kleinen Krankenhaus',
    paraphrase: 'mein Beruf ist die Geburtshilfe im Norden',
    body: 'Die Person arbeitet als Hebamme in einem kleinen Krankenhaus bei Lübeck.',
    yes: 'Ja, bitte merk dir das.',
  },
  {
    type: 'feedback',
    name: 'Tabulatoren im Makefile',
    said: 'Bitte schreibe Makefiles immer mit Tabulatoren und nie mit Leerzeichen.',
    part: 'immer mit Tabulatoren',
    paraphrase: 'eingerückt wird dort nur auf die alte Art',
    body: 'Makefiles immer mit Tabulatoren schreiben, nie mit Leerzeichen.\n\n**Warum:** So gewünscht.',
    yes: 'Ja, genau.',
  },
  {
    type: 'user',
    name: 'Profesora de química',
    said: 'Soy profesora de química en un instituto de Valencia.',
    part: 'profesora de química',
    paraphrase: 'doy clase de ciencias a adolescentes',
    body: 'Es profesora de química en un instituto de Valencia.',
    yes: 'Sí, por favor, guárdalo.',
  },
  {
    type: 'project',
    name: 'Migración de pagos',
    said: 'La migración de pagos termina en septiembre porque el contrato con el banco vence.',
    part: 'termina en septiembre',
    paraphrase: 'hay que acabar antes del otoño',
    body: 'La migración de pagos termina en septiembre porque vence el contrato con el banco.\n\n**Por qué:** El contrato.',
    yes: 'Sí, claro.',
  },
  {
    type: 'feedback',
    name: '敬語',
    said: '返事はいつも敬語で書いてください。',
    part: 'いつも敬語で',
    paraphrase: '丁寧な言葉遣いを頼みます',
    body: '返事はいつも敬語で書く。',
    yes: 'はい、お願いします。',
  },
  {
    type: 'user',
    name: 'Vegetarian cook',
    said: 'Ich bin Köchin und koche seit zwanzig Jahren nur vegetarisch.',
    part: 'koche seit zwanzig Jahren',
    paraphrase: 'Fleisch kommt mir nicht in die Pfanne',
    body: 'The user is a chef who has cooked only meatless food for twenty years.',
    yes: 'Ja, bitte.',
    isTranslated: true,
  },
  {
    type: 'feedback',
    name: 'Tests before a pull request',
    said: 'プルリクエストを出す前に必ずテストを全部実行してください。',
    part: '必ずテストを全部実行して',
    paraphrase: '確認なしに送らないで',
    body: 'Always run all of the tests before you open a pull request.\n\n**Why:** The user asked for it.',
    yes: 'はい、それで。',
    isTranslated: true,
  },
];
