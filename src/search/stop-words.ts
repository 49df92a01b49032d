/** Words that say nothing about a text's subject: English, German unless an English word is spelt the same, Chinese, Japanese. */

const ENGLISH = `a about above after again all am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further had has have having he her here hers him his how i if in
into is it its itself just me more most my myself no nor not now of off on once only or other our ours out over own same she
should so some such than that the their theirs them then there these they this those through to too under until up very was
we were what when where which while who whom why will with would you your yours im ive id ill dont cant youre thats didnt
doesnt isnt wasnt`;

const GERMAN = `aber als auch auf aus bei bin das dass dem den der des du ein eine einem einen einer es fur hat ich ihr im ist
ja kann kein keine mein meine mit nach nicht noch nur oder sein sich sie sind uber um und uns unser unsere vom von vor wann
warum was welche welcher welches wenn wer wie wir wird wo zu zum zur`;

const CHINESE = `的 了 是 在 和 与 或 我 你 他 她 它 我们 你们 他们 这 那 这个 那个 哪 哪个 哪些 哪里 什么 什么时候 时候 怎么 怎么样 怎样 为什么
如何 吗 呢 吧 啊 有 没有 就 都 也 还 要 会 能 可以 应该 请 把 被 给 对 从 到 用 不`;

const JAPANESE = `の は が を に で と も や か から まで より へ です ます でし まし た て だ ない し する して した さ いる ある れる なる この その
あの どの これ それ あれ どれ 何 なに いつ どこ だれ 誰 なぜ どう どんな ください いい よい もの こと ため よう`;

export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${GERMAN} ${CHINESE} ${JAPANESE}`.split(/\s+/));
