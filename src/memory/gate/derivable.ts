/** What the project tells by itself: its code, its history and its repairs are looked up there, not remembered (they change). */

import { coreText, sentencesOf } from './parts.ts';
import { isOrder } from './phrasing.ts';
import { isTaskList, isTaskState } from './task-state.ts';
import type { ProposedMemory } from './write.ts';

export type Derivable = 'derivable-code' | 'derivable-git' | 'derivable-fix' | 'ephemeral';

const EXTENSIONS =
  'tsx?|jsx?|mjs|cjs|py|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|ex|exs|lua|sh|sql|ya?ml|json|toml|ini|cfg|env|proto|tf|gradle|xml|css|scss|html|vue|svelte|md|lock|ipynb';
const FILE = new RegExp(
  `(?<![\\w/.@-])(?:\\*\\.)?(?:[\\w.@~-]{1,80}/){0,20}[\\w.-]{1,80}\\.(?:${EXTENSIONS})(?::\\d+(?::\\d+)?)?(?![\\w/-])`,
  'g',
);
/** With folders in front any ending will do, unless the first is a host. */
const FILE_BELOW = /(?<![\w/.:@-])[\w@~-]{1,80}\/(?:[\w.@-]{1,80}\/){0,20}[\w-]{1,80}\.[a-z0-9]{1,5}(?![\w/-])/g;
const FOLDER =
  /(?<![\w/.:@-])(?:\.\/)?(?:src|lib|app|apps|pkg|packages|internal|cmd|tests?|spec|docs?|scripts|components|server|client|backend|frontend|modules|services|vendor)\/[\w./-]*/g;
const CALL = /(?<![\w.])[A-Za-z_][\w.]*\((?:[^()\n]{0,80})\)/g;
const IDENTIFIER =
  /(?<![\w/.-])(?:[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z]{2,}(?:_[A-Z0-9]+)+|[A-Z][A-Z0-9_]*=\S+|(?:GET|POST|PUT|PATCH|DELETE|HEAD) \/\S*)(?![\w/-])/g;
const FENCE = /^\s*(?:```|~~~)/m;

/** `Node.js` and its like are no files. */
const PRODUCT = /^[A-Z][A-Za-z\d]*\.js$/;

/** How much of a text is names of the code. */
function codeShare(text: string): { share: number; files: number; names: number } {
  const words = text.match(/\S+/g)?.length ?? 0;
  const named = text.match(FILE)?.filter((file) => !PRODUCT.test(file)) ?? [];
  const below = text.match(FILE_BELOW)?.length ?? 0;
  const files = Math.max(named.length, below) + (text.match(FOLDER)?.length ?? 0);
  const names = (text.match(CALL)?.length ?? 0) + (text.match(IDENTIFIER)?.length ?? 0);
  return { share: words === 0 ? 0 : (files + names) / words, files, names };
}

const DIFF = /^(?:```diff|diff --git|@@ .*@@|\+\+\+ [ab]\/|--- [ab]\/)/m;
const TRACE =
  /^\s*(?:at .+\(?\S+:\d+:\d+\)?|File ".+", line \d+|❯ \S+:\d+|Traceback \(most recent|[\w.]*(?:Error|Exception): |FAIL(?:ED)?\s+\S+|panic: |thread '.+' panicked)/m;
const REPAIRED =
  /\b(?:fix(?:ed)?(?: (?:is|was|it|this|that|them))*(?: in| by| with|:)|the fix (?:is|was)|fixe[sd] (?:the|this|it)|solve[sd] (?:by|with|the|this|it)|resolve[sd] (?:by|with|the|this|it)|repaired (?:by|with)|(?:bug|error|crash|failure|leak|problem|issue) (?:is|was) (?:caused|fixed|solved|resolved)|to fix (?:it|this|the)|work-?around|root cause|behoben (?:durch|mit|indem)|gelöst (?:durch|mit)|(?:se )?(?:arregló|solucionó|corrigió|arregla|soluciona)|corrigé (?:en|par))\b|修复|修正した|解决/i;
/** "If the build hangs, delete the cache": a recipe, whoever wrote it down. */
const RECIPE =
  /\b(?:if|when|whenever)\b.{0,80}\b(?:fails?|errors?|crash(?:es)?|hangs?|breaks?|complains?|throws?)\b.{0,80}\b(?:run|delete|remove|reinstall|restart|clear|rebuild|downgrade|upgrade|install|rerun)\b/i;

const HASH_LINE = /^.*(?<![\w/-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w/-]).*$/gm;
const REF_LINE =
  /^\s*[-*]?\s*(?:remotes\/|refs\/|origin\/|stash@\{|v?\d+\.\d+\.\d+ +[0-9a-f]{7,})|^\s*(?:modified|new file|deleted|renamed):\s|^On branch /gm;
const NUMBERED_LINE = /^\s*(?:[-*]\s*)?(?:PR |MR |pull request )?[#!]\d+\b/gim;
const HISTORY =
  /\b(?:commit|commits|revision)\s+`?(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|\b(?:PR|MR|pull request|merge request)s?\s*[#!]?\d+\b.{0,60}\b(?:merged|opened|closed|landed|reverted|added|changed|introduced|by)\b|\b(?:merged|committed|landed|pushed|reverted|cherry-picked|rebased|tagged)\b.{0,60}(?:[#!]\d+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|\b(?:in)?to (?:main|master|develop|trunk)\b)|\bgit (?:log|blame|history|show)\b|\b(?:last|latest|recent|newest) (?:\w+ )?(?:commits?|merges?)\b(?! messages?)|\b(?:authored|last (?:changed|touched|modified)) by\b|\b\d+ commits (?:on|in|by|since|to|behind|ahead)\b|(?<![\w/-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40} (?:was|were|got|has been) (?:\w+ )?(?:merged|committed|landed|pushed|reverted|cherry-picked|rebased|tagged)\b/i;
/** What has to hold, with the reason of the user's, stands in no history, even where it names a commit. */
const CONSTRAINS =
  /\b(?:must|may|should|shall|cannot|can't|never|always|only|nothing|stays?|remains?|pinned|frozen|do not|don't|muss|darf|bleibt|nie|debe|nunca|permanece|doit|jamais|reste|deve|resta|moet|nooit|blijft)\b|должен|никогда|оста[её]тся|必须|不得|不能|保持|固定|必ず|しない/i;

/** Sentences that say where something is in the code, or how it is put together. */
const SAYS_STRUCTURE =
  /\b(?:exports?|contains?|lives?|sits?|resides?|is in|are in|is under|are under|defined|implements?|extends?|inherits?|subclass(?:es)?|calls?|imports?|depends? on|handles?|wraps?|returns?|takes|mounts?|registers?|located|stored|declared|consists?|structured|organi[sz]ed|split into|reads?|writes?|renders?|maps?|validates?|goes through|flows?|entry point|holds?|has|have|configured|set up|befindet|liegt|enthält|contiene|está en|se encuentra|位于|定义在|包含|实现)\b|[-=]>|→|::/i;
const ARCHITECTURE =
  /\b(?:hexagonal|layered|clean|onion|mvc|mvvm|microservices?|monolith(?:ic)?|event[- ]driven|cqrs|repository|factory|singleton|observer|strategy|adapter) (?:architecture|pattern|design|style)\b|\b(?:folder|directory|project|code|module|package|repo(?:sitory)?) (?:structure|layout|tree)\b|\btech(?:nology)? stack\b|\b(?:project|code ?base|repo(?:sitory)?) is an? (?:\w+ )?(?:mono-?repo|poly-?repo|monolith|workspace)\b|\b(?:code ?base|app|application|backend|frontend|server|client|service|project|repo(?:sitory)?) (?:is (?:written|built|implemented|made)|uses?|consists?|is (?:structured|organi[sz]ed|split|divided))\b.{0,80}\b(?:in|with|on|of|into|framework|library|layers?|modules?|packages?|react|vue|angular|svelte|django|flask|rails|express|spring|next\.?js|typescript|python|go|rust|postgres\w*|redux|vite|webpack)\b|\b(?:endpoints?|routes?|tables?|columns?|classes|functions|methods|hooks|controllers?|components?) (?:are|is|include)\b.{0,60}[:,]|架构|目录结构|项目结构|Architektur|Ordnerstruktur|arquitectura|estructura de (?:carpetas|directorios)/i;

/** How things are named can be read off them. */
const NAMING =
  /\b(?:variables?|functions?|components?|files?|classes|methods|constants?|tables?|columns?|props?|identifiers?)\b.{0,40}\b(?:camel|pascal|snake|kebab|screaming)[- _]?(?:snake[- _]?)?case\b/i;

/** A reason is what the code does not show. */
const REASON =
  /\b(?:because|since (?:the|we|our|it|they)|so that|due to|in order to|for the sake|otherwise|the reason|weil|damit|wegen|da (?:wir|die|der|das)|porque|debido|para que|ya que|parce que|car|afin)\b|因为|由于|以便|ため|ので|から/i;

export interface DerivableFacts {
  readonly proposed: ProposedMemory;
  /** Whether the user gave the reason that the memory gives. */
  readonly isReasoned: boolean;
}

export function findDerivable(facts: DerivableFacts): Derivable | null {
  const { proposed, isReasoned } = facts;
  const core = coreText(proposed.body);
  const { share, files, names } = codeShare(core);
  if (DIFF.test(core)) return 'derivable-fix';
  if (TRACE.test(core)) return 'derivable-fix';
  if (isHistoryList(core)) return 'derivable-git';
  if (isTaskList(core)) return 'ephemeral';
  const isRule = proposed.type === 'feedback' && sentencesOf(core).some(isOrder);
  if (isRule && share < MOSTLY_CODE) return null;
  if (proposed.type !== 'feedback' && RECIPE.test(core)) return 'derivable-fix';
  if (REPAIRED.test(core) && (files + names > 0 || FENCE.test(core) || /`[^`]+`/.test(core))) return 'derivable-fix';
  const isConstraint = isReasoned && CONSTRAINS.test(core);
  if (proposed.type !== 'feedback' && HISTORY.test(core) && !isConstraint) return 'derivable-git';
  if (proposed.type !== 'feedback' && isTaskState(core)) return 'ephemeral';
  if (FENCE.test(core)) return 'derivable-code';
  if (share >= MOSTLY_CODE) return 'derivable-code';
  if (isReasoned || REASON.test(core) || proposed.type === 'user') return null;
  if (files + names > 0 && SAYS_STRUCTURE.test(core)) return 'derivable-code';
  if (NAMING.test(core)) return 'derivable-code';
  return proposed.type !== 'feedback' && ARCHITECTURE.test(core) ? 'derivable-code' : null;
}

/** A third of all words being names of the code, nothing is left but code. */
const MOSTLY_CODE = 0.34;
const FEW_LINES = 2;

function isHistoryList(core: string): boolean {
  const hashes = core.match(HASH_LINE)?.length ?? 0;
  const numbers = core.match(NUMBERED_LINE)?.length ?? 0;
  const references = core.match(REF_LINE)?.length ?? 0;
  return hashes >= FEW_LINES || numbers >= FEW_LINES || references >= FEW_LINES;
}

const PROJECT_SEARCH = /^(?:grep|glob|ls|list|edit|write|multiedit|notebookedit)$/i;
const HISTORY_COMMAND =
  /^\s*(?:\$ |> )?(?:git (?:log|blame|show|diff|status|shortlog|branch|reflog|tag|stash|remote|worktree)|gh pr|glab mr)\b/m;
const PROJECT_COMMAND =
  /^\s*(?:\$ |> )(?:ls|tree|find|du|cat|head|tail|grep|rg|wc|sed|npm (?:ls|run)|pip (?:list|freeze)|cargo tree)\b(?! +(?:~|\/(?:home|Users|tmp|mnt|media|var|etc)))/;
const LOOKS_LIKE_CODE =
  /[{}();,]\s*$|^\s*(?:import|export|from|def|class|func|fn|function|const|let|var|public|private|package|use|#include|return|if \(|async|type|interface|struct|CREATE TABLE|ALTER TABLE)\b|^\s*[\w.-]+\s*=\s*\S|^\s*"[\w.-]+":\s|^\s*[a-z_][\w.-]*:\s*[^\s.]*$/gm;

/** What a passage is by where it came from: results of searching the project and its history are the project. */
export function derivableFrom(passage: {
  readonly tool: string | undefined;
  readonly message: string;
  readonly text: string;
}): Derivable | null {
  if (PROJECT_SEARCH.test(passage.tool ?? '')) return 'derivable-code';
  const head = passage.message.slice(0, 200);
  if (HISTORY_COMMAND.test(head)) return 'derivable-git';
  if (/^bash$/i.test(passage.tool ?? '') && PROJECT_COMMAND.test(head)) return 'derivable-code';
  const lines = passage.text.split('\n').length;
  const codeLines = passage.text.match(LOOKS_LIKE_CODE)?.length ?? 0;
  return /^read$/i.test(passage.tool ?? '') && codeLines * 2 >= lines ? 'derivable-code' : null;
}
