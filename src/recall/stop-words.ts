/** Words that say nothing about what a text is about, in English and, where no English word is spelt so, in German. */

const ENGLISH = `a about above after again all am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further had has have having he her here hers him his how i if in
into is it its itself just me more most my myself no nor not now of off on once only or other our ours out over own same she
should so some such than that the their theirs them then there these they this those through to too under until up very was
we were what when where which while who whom why will with would you your yours im ive id ill dont cant youre thats didnt
doesnt isnt wasnt`;

const GERMAN = `aber als auch auf aus bei bin das dass dem den der des du ein eine einem einen einer es fur hat ich ihr im ist
ja kann kein keine mein meine mit nach nicht noch nur oder sein sich sie sind uber um und uns unser unsere vom von vor wann
warum was welche welcher welches wenn wer wie wir wird wo zu zum zur`;

export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${GERMAN}`.split(/\s+/));
