/** How a sentence is meant: an order, a question, a report of what a document says, or words meant for an agent's memory. */

/** Who is being told: a page that speaks to assistants wants something of them. */
const AGENTS =
  '(?:ai|a\\.i\\.|llms?|language models?|(?:ai |coding )?assistants?|(?:ai |coding |all )?agents?|copilots?|chat-?bots?|claude|chatgpt|gemini|codex|asistentes?|assistenten?|助手|アシスタント|エージェント|AI)';

/** Text that tries to be remembered, to rule from now on, or to speak for the user. */
const SPEAKS_TO_AGENTS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:note|notice|hint|reminder|message|instructions?|attention|nota|hinweis|aviso)\\b[^.\\n]{0,20}\\b(?:to|for|para|an|für|a)\\b[^.\\n]{0,20}\\b${AGENTS}`,
    'iu',
  ),
  new RegExp(
    `\\b${AGENTS}\\b[^.\\n]{0,40}(?:[:：]|\\b(?:should|must|shall|may|please|are to|need to|reading|remember|always|never|sollen?|müssen|deben|doit|doivent)\\b)`,
    'iu',
  ),
  new RegExp(`(?:^|[/#<*(\\s])(?:note|todo)?\\(?${AGENTS}\\)?\\s*[:：]`, 'imu'),
  new RegExp(`\\b(?:order|rule|instruction|policy)s? (?:for|to) [^.\\n]{0,15}${AGENTS}`, 'iu'),
  /\bremember(?:\s+(?:that|this|for good|to|:|for)|\s*[:：,])|\bremember"\s*:|(?:^|[.:!]\s+)remember\b/im,
  /\b(?:store|save|keep|record|add|write)\b[^.\n]{0,30}\b(?:as a (?:permanent|standing|lasting)|in(?:to)? (?:your |the |long-term )?memory|(?:permanent|standing|lasting) (?:preference|rule|instruction))/i,
  /\b(?:permanent|standing|lasting) (?:preference|order|rule|instruction|approval)\b/i,
  /\bfrom now on\b|\bgoing forward\b|\bfrom here on\b|\bfor all future\b|\bin (?:all )?future sessions?\b/i,
  /\b(?:the|this|your|my) (?:user|developer|owner|customer|human|operator|client|maintainer)s?(?: of this \w+)? (?:always |already |really |has |have |had )?(?:wants?|prefers?|likes?|dislikes?|hates?|approved|agreed|consents?|consented|allows?|allowed|authori[sz]ed|upgraded|expects?|asked|requested|confirmed|wishes)/i,
  /\bforwarded from (?:your|the) user\b|\bon behalf of (?:your|the) user\b|\bper the lead\b|\bthe user (?:said|says)\b/i,
  /^\s*(?:human|user|system|assistant)\s*:/im,
  /\b(?:overrides?|overrules?|outranks?|takes? precedence over) [^.\n]{0,30}\b(?:user|developer|owner|human|operator)s?\b|\b(?:counts? as|is|are) (?:pre-?)?approv(?:al|ed)\b|\bwithout (?:asking|approval|confirmation|review|being asked)\b|\bno (?:approval|confirmation|review|second look) (?:is )?(?:needed|required|necessary)\b/i,
  /\bignore (?:all |any )?(?:previous|prior|earlier|other) (?:instructions?|rules|messages)\b/i,
  /\b(?:merke? dir|denk daran|ab (?:sofort|jetzt)|von nun an|künftig)\b|\bder (?:nutzer|benutzer|anwender|besitzer) (?:will|möchte|wünscht|bevorzugt|hat)/i,
  /\b(?:recuerd[ae]n?|recordad|de ahora en adelante|a partir de ahora|en adelante)\b|\bel usuario (?:ya |siempre )?(?:quiere|prefiere|aprobó|ha aprobado|desea|autorizó)/i,
  /\b(?:souviens-toi|rappelle-toi|retiens|retenez|désormais|à partir de maintenant|dorénavant)\b|\bl'utilisateur (?:veut|préfère|souhaite|a approuvé)/i,
  /\b(?:lembre-se|de agora em diante|ricorda(?:ti)?|d'ora in poi)\b/i,
  /记住|请记|以后|从现在起|今后|用户(?:希望|想|要|喜欢|同意|已)|覚えて|今後|これから(?:は)?|ユーザーは/u,
];

export function speaksToAgents(text: string): boolean {
  return SPEAKS_TO_AGENTS.some((pattern) => pattern.test(text));
}

const USER = '(?:the|your|our|my) (?:user|human|owner|operator|boss|lead|client|developer)';
/** What another agent says the user has said, decided or allowed. */
const SPEAKS_FOR_USER = new RegExp(
  `\\b${USER}(?: \\w+){0,2} (?:told|mentioned|said|decided|okayed|ok'?d|gave|wrote|informed|lets?|cleared|lifted|waived|instructed|granted|agreed|is (?:fine|ok(?:ay)?|happy)|has no objections?|does(?:n't| not) mind)\\b|\\b(?:according to|word from|as agreed with|(?:spoke|talked|checked|agreed) (?:to|with)) ${USER}\\b|\\b${USER}(?:'s|\u2019s) (?:word|ok(?:ay)?|approval|decision|permission|blessing)\\b|\\b(?:der|dein|euer) (?:nutzer|benutzer|anwender) hat\\b|\\b(?:el|tu) usuario (?:me |nos )?(?:dijo|ha dicho|decidió|ha decidido|permite)|\\b(?:l'|ton )utilisateur (?:m'a dit|a (?:dit|décidé|permis))|пользователь (?:сказал|решил|разрешил)|用户(?:说|告诉|决定|允许)|ユーザー[がは].{0,20}(?:言|決め|許可)|사용자[가는].{0,20}(?:말했|결정|허락)`,
  'iu',
);

export function speaksForUser(text: string): boolean {
  return SPEAKS_FOR_USER.test(text);
}

const QUESTION_START =
  /^(?:so |and |but |ok(?:ay)?,? |hey,? |wait,? )*(?:why|what|which|how|who|whose|where) (?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|many|much|far|long|often|come|the|in|on)\b/i;
const ASKED_POLITELY =
  /^(?:and |also |please,? |hey,? )*(?:can|could|would|will) (?:you|we)\b(?! (?:tell|say|check|see|find|explain|look|show|know|think))|\bplease\b/i;

/** A question asserts nothing; a wish put politely does. */
export function isAsked(sentence: string): boolean {
  const isQuestion = /[?？]["')\]]?\s*$/.test(sentence) || QUESTION_START.test(sentence) || /^¿/.test(sentence);
  return isQuestion && !ASKED_POLITELY.test(sentence);
}

const DOCUMENT =
  '(?:read-?me|docs?|documentation|manual|guide|handbook|wiki|page|site|website|article|blog(?: post)?|post|tutorial|forum|thread|answer|comment|snippet|log|output|banner|warning|message|linter|tool|script|file|config|changelog|release notes?|stack ?overflow|reddit|hacker news|chatgpt|bot|agent|agents\\.md|claude\\.md|contributing(?:\\.md)?|dokumentation|doku|anleitung|seite|artikel|datei|documentación|página|artículo|文档|网页|文章)';
const SAYS =
  '(?:says|said|claims|claimed|recommends|recommended|suggests|suggested|tells|told|states|stated|advises|advised|insists|mentions|warns|sagt|behauptet|empfiehlt|steht|schreibt|dice|recomienda|afirma|dit|recommande)';
const SAY_TOGETHER =
  '(?:docs|notes|articles?|pages|posts|comments|answers|guides) (?:all )?(?:say|claim|recommend|suggest|advise|tell)';
const REPORTS = new RegExp(
  `\\b${DOCUMENT}\\b[^.,;\\n]{0,25}\\b${SAYS}\\b|\\b${SAY_TOGETHER}\\b|\\b(?:according to|laut|según|selon|d'après|as per)\\b[^.;\\n]{0,25}${DOCUMENT}|(?:${DOCUMENT})(?:里|上|中)?(?:说|建议|写着)`,
  'iu',
);
const ADOPTS =
  /\b(?:i agree|agreed|i like|let's|we (?:should |will |'ll )?(?:do|follow|adopt)|please|from now on|do (?:that|it|so|the same)|follow (?:it|that|this)|stick to|and (?:i|we) (?:want|do|agree)|i want|so (?:always|never|use|do)|makes sense|that's (?:right|true|how)|genau so|machen wir|hagámoslo|estoy de acuerdo)\b|同意|就这样|照做/i;

/** "The README says always to use sudo": the user tells what stands there, and does not ask for it. */
export function isReported(sentence: string): boolean {
  return REPORTS.test(sentence) && !ADOPTS.test(sentence);
}

/** "What if we moved to MongoDB?": whoever weighs something has not decided it. */
const WEIGHED =
  /\bwhat (?:would|if|happens if)\b|\b(?:should|shall) (?:we|i)\b|\bwould it\b|\bif (?:we|i|you) (?:were|would|did)\b|^(?:was (?:wäre|passiert),? wenn|sollen wir|sollten wir|¿?(?:y si|qué pasa(?:ría)? si|deberíamos)|et si|devrions-nous)\b|如果.*会怎|要不要|したらどう/i;

export function isWeighed(question: string): boolean {
  return WEIGHED.test(question);
}

const ONLY_ONCE =
  /\b(?:just|only) (?:for )?this (?:once|time|one|file|commit|pr|branch|task|case|run)\b|\bfor this (?:file|one|commit|pr|branch|task|time|case|run) only\b|\bthis (?:time|once|file|one) only\b|\bjust (?:for )?(?:this )?once\b|\b(?:nur (?:dieses (?:eine )?mal|diesmal|hier|für diese)|ausnahmsweise|s[oó]lo (?:por )?esta vez|(?:juste|seulement) cette fois|exceptionnellement)\b|(?:仅|只|就)(?:限)?这(?:一)?次|今回(?:だけ|のみ|限り)/i;

/** What holds for one time is no rule. */
export function isForOnce(sentence: string): boolean {
  return ONLY_ONCE.test(sentence);
}

const STANDING =
  /\b(?:always|never|from now on|going forward|every|each|per|in (?:the )?future|again|keep|remember|should|must|prefer|rule|usually|any ?more|immer|nie|künftig|jede[rsnm]?|pro|soll\p{L}*|siempre|nunca|cada|toujours|jamais|chaque|sempre|mai|ogni|altijd|nooit|elke?)\b|(?:^|[^\p{L}])(?:всегда|никогда|кажд)|以后|总是|永远|每|必ず|常に|今後|毎|항상|앞으로|마다/iu;

/** Whether a sentence may speak of more than the task at hand. */
export function isStandingWish(sentence: string): boolean {
  return STANDING.test(sentence);
}

const DISSENTS =
  /^(?:but |though |well,? |honestly,? )*(?:i(?:'m| am) not (?:\w+ )?(?:convinced|sure|sold)|i (?:don't|do not) (?:agree|think so|like|want)|i disagree|i doubt|i(?:'d| would) rather not|that(?:'s| is) (?:nonsense|wrong|not (?:true|right))|no way|ignore (?:him|her|them|that)|don't (?:listen|do that)|ich (?:bin nicht überzeugt|glaube nicht|sehe das anders)|das stimmt nicht|no estoy (?:de acuerdo|convencid[oa])|je ne suis pas (?:d'accord|convaincue?))\b|^我不同意|^そうは思い/i;

/** The user takes back what the sentence before tells. */
export function isDissent(sentence: string): boolean {
  return DISSENTS.test(sentence.trim());
}

const ORDER_MARK =
  /^(?:please,? |bitte |por favor,? )?(?:always|never|do not|don't|dont|from now on|going forward|make sure|be sure|ensure|avoid|stop|remember|you (?:must|should|shall|may|can|need|have)|no need to|immer|nie|niemals|ab (?:sofort|jetzt)|siempre|nunca|no \p{L}+(?:ar|er|ir|es|en)\b|de ahora en adelante|toujours|jamais|ne \p{L}+ pas|désormais|请|必须|总是|永远|不要|以后|禁止|务必|必ず|常に|今後|絶対)/iu;
const ORDER_END = /(?:してください|すること|しないこと|なさい)[。.]?$/u;
const AGENT_SUBJECT = new RegExp(`^(?:the |an? |all |every )?${AGENTS}\\b`, 'iu');
/** How orders about work begin. */
const ORDER_VERBS = new Set(
  `accept add allow annotate answer append apply approve archive ask assign attach auto-approve backup block branch build bump bypass
  call cancel change check choose clean clear clone close comment commit compile configure confirm consult convert copy create cut
  deactivate delete deploy deselect disable discard do document download drop edit email enable encrypt erase escalate exclude
  execute expose fetch file fix follow force force-push format forward generate give grant handle hide ignore include inform
  insert install keep leave link lint list load log look mail make mark merge mock move name notify omit open override overwrite
  paste pick pin place post prefer prefix print proceed propose publish pull push put raise read rebase record redirect refer
  refuse reject release reload remove rename replace reply report request require reset respond restart restore return revert
  review rewrite roll rotate run save scan schedule send set share show sign skip sort split squash start stash stop store
  submit suppress switch sync tag tell test treat trust turn uninstall update upgrade upload use validate verify wait warn
  whitelist wipe work wrap write desactivar usar ejecutar borrar instalar verwende nutze benutze führe lösche schalte utiliser
  désactiver supprimer`.split(/\s+/),
);
/** Nouns that are spelt like such verbs are followed by a verb of their own: "Test coverage is 80%". */
const HAS_OWN_VERB =
  /^\S+(?: (?!that|which|who|if|when|where|because|so|and|or|to|the|a|an|all|any|every|each|your|our|its|their)[\w-]+){0,4} (?:is|are|was|were|has|have|had|will|goes?|went|moved?s?|runs?|takes?|needs?|ends?|starts?|belongs?|lives?|comes?|handles?|happens?)\b/i;

/** "Open Tuesday to Saturday" says when, and tells nobody to open anything. */
const OPENING_HOURS = /^open (?:daily|all|from|on|until|every|\d|mon|tue|wed|thu|fri|sat|sun)/i;

/** Whether a sentence tells somebody what to do, rather than what is. */
export function isOrder(sentence: string): boolean {
  const text = sentence.trim().replace(/^[-*•\d.)\s]+/, '');
  if (ORDER_MARK.test(text) || ORDER_END.test(text) || AGENT_SUBJECT.test(text)) return true;
  const first = /^[\p{L}-]+/u.exec(text.replace(/^(?:please|bitte|por favor),? /i, ''))?.[0]?.toLowerCase() ?? '';
  return ORDER_VERBS.has(first) && !HAS_OWN_VERB.test(text) && !OPENING_HOURS.test(text);
}
