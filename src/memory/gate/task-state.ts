/** The state of the work at hand, and of what runs right now: it will not hold until a memory is read. */

import { sentencesOf } from './parts.ts';

const TASK_LIST = /^\s*[-*\d.)]*\s*\[[ xX~]\]\s/m;
const TASK_STATE: readonly RegExp[] = [
  /^\s*(?:todos?|to-?do list|next steps?|status|progress|remaining|in progress|wip)\s*[:：]/im,
  /\b(?:pid|process id)\s*[:=]?\s*\d+/i,
  /\bcurrently (?:running|building|failing|broken|deploying|compiling|testing|working on|debugging|checked out|on (?:the )?branch|red|green|editing|refactoring|blocked|waiting|listening|on step|open in)/i,
  /\b(?:is|are) (?:now |currently )?(?:running|listening|served|up) (?:at|on|under) (?:port|localhost|https?:|127\.|0\.0\.|:\d)|\brunning in the background\b/i,
  /\b(?:to be done|still (?:to do|pending)|left off|stopped at|continue (?:with|from|at)|resume (?:with|from|at)|half-?(?:way|finished|done)|uncommitted|staged changes|checked out|waiting for (?:review|ci|the build|approval))\b/i,
  /\b(?:we(?: are|'re)|i am|i'm|(?:the )?(?:assistant|agent|user) is) (?:currently |now |just )?(?:in the middle of|halfway|working on|about to|debugging|fixing|editing|refactoring|looking at)\b/i,
  /\b(?:in|during|of|for) this session\b|\bso far in\b/i,
  /\b(?:half|\d+ ?(?:%|percent)|\d+ of \d+|\d+\/\d+)(?!\w).{0,30}\b(?:done|finished|complete[d]?|renamed|migrated|converted|left|remaining|passing|failing|to go)\b/i,
  /\b(?:tests?|build|lint|ci|pipeline) (?:is|are) (?:(?:now|still|currently|all) )?(?:green|red|passing|failing|broken)\b/i,
  /\bgerade (?:dabei|in arbeit)|läuft (?:gerade|momentan|derzeit)|\bals nächstes\b|\ben este momento\b|\bestamos (?:en|a mitad)\b|\bsiguiente paso\b|\bfaltan? por\b/i,
  /正在(?:运行|处理|修改|进行|执行)|目前(?:正在|进度)|待办|下一步|还剩|進行中|作業中/,
];

/** What is started, runs and ends. */
const RUN =
  /\b(?:builds?|ci|pipelines?|workflows?|jobs?|runs?|deploy(?:s|ment|ments)?|tests?|(?:test )?suites?|downloads?|uploads?|imports?|exports?|backups?|process(?:es)?|scripts?|quer(?:y|ies)|training|servers?|services?|sites?|containers?|pods?|compilation|installation|crawl|bake|render|bereitstellung|lauf|import|sicherung|despliegue|compilación|trabajo|proceso|pruebas|servidor|compilation|déploiement|tâche|processus|serveur|distribuzione|compilazione|processo|prove|implantação|compilação|bouw|uitrol)\b|构建|部署|流水线|任务|测试|服务器|导入|备份|ビルド|デプロイ|ジョブ|テスト|サーバ|빌드|배포|작업|테스트|서버|сборк|деплой|развёртывани|тест|сервер/iu;
const NOW =
  /\b(?:right now|at the moment|at present|as we speak|just now|for the moment|momentan|derzeit|gerade|zurzeit|im moment|en este momento|ahora mismo|en ce moment|actuellement|in questo momento|al momento|neste momento|op dit moment)\b|сейчас|в данный момент|现在|目前|現在|지금|현재/iu;
const STATE =
  /\b(?:running|in progress|building|failing|red|green|broken|down|queued|pending|deploying|compiling|stuck|hanging|under way|läuft|laufen|rot|grün|kaputt|hängt|en curso|corriendo|fallando|roj[oa]|caíd[oa]|en cours|en panne|rouge|in corso|rosso|em curso|em andamento|bezig|rood)\b|运行|进行|失败|红|实行|実行中|失敗|進行|진행|실행|실패|выполняется|идёт|упал|красн/iu;
/** Not "still running Node 18", which may go on for years. */
const STILL =
  /\bstill (?:in progress|building|going|deploying|compiling|queued|uploading|downloading|installing|importing|training|syncing|running(?=[.,;)]|$| and\b| at the| in the background| \())|\bnoch (?:am laufen|nicht (?:fertig|durch))|\bläuft (?:gerade )?noch\b|\bsigue (?:en curso|corriendo|en marcha)|\btoujours en cours|\bancora in corso|\bainda em (?:curso|andamento)|\bnog (?:steeds )?bezig|还在(?:跑|运行|构建)|まだ(?:実行|走っ|動い)|아직 (?:실행|진행)|ещё (?:идёт|выполняется)/iu;
const WAITING =
  /(?:^|[;,]\s*|\b(?:is|are|am|still|currently|now)\s+|'(?:re|m)\s+)waiting (?:for|on) .{1,40}? to (?:finish|complete|end|pass|succeed|come back|go (?:green|through)|be (?:done|over))\b/i;
/** A state with an end that is known is worth knowing. */
const UNTIL = /\b(?:until|till|bis|hasta|jusqu|fino a|até|tot)\b|直到|まで|까지|до /iu;

export function isTaskList(text: string): boolean {
  return TASK_LIST.test(text);
}

export function isTaskState(text: string): boolean {
  return TASK_STATE.some((state) => state.test(text)) || sentencesOf(text).some(isRunningNow);
}

function isRunningNow(sentence: string): boolean {
  if (UNTIL.test(sentence)) return false;
  if (WAITING.test(sentence)) return true;
  return RUN.test(sentence) && (STILL.test(sentence) || (NOW.test(sentence) && STATE.test(sentence)));
}
