/** When the user makes somebody else's words their own: "the style guide says so. Please stick to that." */

const ADOPTS: readonly RegExp[] = [
  /\b(?:stick|adhere|hold|keep) (?:to|with) (?:that|this|it|these|those)\b|\bfollow (?:that|this|it|these|those)\b/i,
  /\bdo (?:it|that|this|so|the same)\b.{0,10}\b(?:like (?:that|this)|same way|here|too|as well|from now on)\b|\bdo (?:it )?(?:like|as) (?:that|this)\b/i,
  /\b(?:that|this|it|the same)\b.{0,12}\b(?:goes|applies|holds|counts|stands) (?:for|to|here|too|as well)\b|^\W*same (?:for|here|goes|with)\b/i,
  /\b(?:i|we) (?:want|need|do|follow|like) (?:exactly |just )?(?:that|this|it|these|the same)\b(?! \w+ed\b)/i,
  /\blet'?s (?:do|follow|adopt|use|keep|stick to) (?:that|this|it)\b|\bmake (?:that|this|it) (?:the|our|a) (?:rule|habit|default|standard)\b/i,
  /\b(?:that|this)(?:'s| is) (?:how|what) (?:i|we) (?:want|do)\b|\bfrom now on\b/i,
  /\bdaran halten\b|\bhalt(?:e|et)? (?:dich|euch) daran\b|\bgilt (?:auch|ab|für)\b|\b(?:so machen|machen) wir(?: (?:es|das))? ?(?:so|auch)?\b|\bgenau so\b|\bmach (?:es|das) (?:auch )?so\b/i,
  /\b(?:sigue|sigamos|respeta) (?:eso|esto)\b|\b(?:hazlo|hagámoslo|hagamos) así\b|\beso vale\b|\bfai(?:s|tes|sons)? (?:comme ça|pareil|ainsi|così)\b|\bça vaut\b|\bvale anche\b|\batteniamoci\b|\bfa[zç]a? assim\b|\bvale também\b/i,
  /\bhoud? je daar ?aan\b|\bgeldt ook\b|\bdoe (?:het|dat) (?:ook )?zo\b|так и делай|придерживайся этого|это касается и/i,
  /就(?:按|照)(?:这|此)|照(?:这个|此|做)|也(?:适用|这样)|遵守(?:这|它)|これに従|その通りに|同じように|이대로|그렇게 (?:해|하자)|이걸 따라/u,
];

const REFUSES =
  /\b(?:not|no|never|don'?t|do not|doesn'?t|isn'?t|won'?t|nonsense|wrong|ignore|nicht|nie|kein\w*|unsinn|non|pas|não|niet|geen)\b|(?:^|\s)не\s|[不别]|ない|지 마|[?？]\s*$/iu;

/** Whether a sentence makes what stands before it a rule of the user's. */
export function adoptsBefore(sentence: string): boolean {
  return ADOPTS.some((pattern) => pattern.test(sentence)) && !REFUSES.test(sentence);
}
