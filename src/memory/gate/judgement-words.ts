/** Words that judge people, one row a language. Words stand between spaces; `liar//s` is liar and liars. */

import type { Language, UnspacedLanguage } from '../../base/languages.ts';

export interface JudgementWords {
  /** Whom a memory is likely to be about. */
  readonly people: string;
  /** "is", in its forms. */
  readonly be: string;
  readonly isBeLeftOut?: boolean;
  /** What says nothing by itself, before "is" and behind it: articles, possessives, degrees. */
  readonly small: string;
  /** Said of people only. */
  readonly traits: string;
  /** Said of things too: judged if nobody but a person can be meant. */
  readonly faults: string;
  /** Judged where it is denied. */
  readonly praise?: string;
}

const ENGLISH: JudgementWords = {
  people: `he she user boss manager colleague//s coworker//s teammate//s intern//s trainee junior developer//s engineer//s designer
    customer//s client//s contractor landlord landlady neighbo/r/rs/ur/urs caretaker mayor teacher doctor wife husband brother sister
    mother father brother-in-law friend//s roommate team pm ceo`,
  be: 'is are was were am',
  small: `a an the this that our my his her their your new old so very really too just quite such totally
    completely always rather pretty also extremely simply honestly and both still bit`,
  traits: `idiot//s moron//s imbecile//s loser//s liar//s crook//s scammer//s swindler//s thie/f/ves freeloader//s miser//s cheapskate//s
    slacker//s coward//s bigot//s scumbag//s asshole//s narcissist//s/ic hypocrit/e/es incompetent inept arrogant clueless two-faced
    hot-headed bad-tempered selfish conceited cowardly spineless dim-witted`,
  faults: `lazy dumb ignorant stubborn impatient careless sloppy nasty rude dishonest untrustworthy moody cruel irresponsible stingy greedy
    vain corrupt manipulative deceitful useless stupid terrible awful horrible hopeless worthless unreliable annoying pathetic ridiculous
    crap rubbish garbage crazy insane disaster nightmare toxic unprofessional nuisance cheat fool jerk bastard bitch bully gossip`,
  praise: 'bright competent',
};

const GERMAN: JudgementWords = {
  people: `herr frau nutzer//in chef//in kolleg/e/in/en/innen praktikant//in/en entwickler//in mitarbeiter//in kund/e/in/en vermieter//in
    nachbar//in/n hausmeister//in lehrer//in arzt anwalt bürgermeister//in azubi mann bruder schwester mutter vater schwager schwägerin
    freund//in team`,
  be: 'ist sind war waren bin',
  small: `der die dieser diese ein//e/er mein//e unser//e sein//e neue//r alte//r so sehr echt wirklich total völlig
    absolut ziemlich einfach nur auch immer richtig ganz extrem leider und zu`,
  traits: `idiot//en vollidiot//en dummkopf trottel lügner//in betrüger//in gauner//in dieb//in schmarotzer//in faulpelz geizhals feigling
    angeber//in versager//in arschloch mistkerl heuchler//in nichtsnutz inkompetent arrogant überheblich verlogen unehrlich geizig
    stinkfaul egoistisch feige cholerisch`,
  faults: `faul stur gierig schlampig ungeduldig ignorant dumm doof blöd unfähig nutzlos furchtbar schrecklich unzuverlässig lächerlich
    unprofessionell verrückt hinterhältig unverschämt eingebildet rücksichtslos unhöflich respektlos ahnungslos spinner katastrophe`,
};

const DUTCH: JudgementWords = {
  people: `meneer mevrouw gebruiker baas chef manager collega//'s stagiair//s/e ontwikkelaar//s medewerker//s klant//en huisbaas
    verhuurder buur/man/vrouw buren conciërge leraar directeur arts burgemeester man vrouw broer zus zwager schoonmoeder moeder vader
    vriend//in team`,
  be: 'is zijn was waren ben',
  small: `een de deze die mijn onze nieuwe oude zo heel erg echt zeer te gewoon ook altijd nogal totaal ontzettend
    behoorlijk en`,
  traits: `idioot idioten sukkel leugenaar//s oplichter//s bedrieger//s dief dieven klaploper luilak vrek gierigaard lafaard opschepper
    klootzak huichelaar nietsnut incompetent onbekwaam arrogant gierig leugenachtig egoïstisch verwaand onbeschoft achterbaks`,
  faults: `lui koppig slordig ongeduldig dom stom nutteloos onbetrouwbaar oneerlijk vreselijk waardeloos gek gemeen laf brutaal ramp
    onprofessioneel`,
};

const FRENCH: JudgementWords = {
  people: `utilisat/eur/rice patron//ne chef//fe collègue//s stagiaire//s développeu/r/rs/se employé//s/e/es client//s/e/es
    propriétaire locataire voisin//s/e/es gardien//ne concierge professeur prof direct/eur/rice médecin avocat//e maire mari femme frère
    sœur mère père beau-/frère/père belle-/sœur/mère ami//e équipe`,
  be: 'est sont était étaient suis',
  small: `un//e des le la les l' ce cet cette mon ma notre son sa nouveau nouvelle nouvel si très trop vraiment
    complètement totalement tellement plutôt assez toujours aussi tout toute simplement franchement et`,
  traits: `idiot//s/e/es imbécile//s crétin//s/e/es abruti//s/e/es menteu/r/rs/se/ses tricheu/r/rs/se/ses escroc//s voleu/r/rs/se/ses
    radin//s/e/es avare//s pingre//s fainéant//s/e/es hypocrite//s connard//s connasse//s salaud//s incompétent//s/e/es arrogant//s/e/es
    prétentieu/x/se/ses égoïste//s`,
  faults: `têtu//e borné//e négligent//e ignorant//e paresseu/x/se nul//s/le/les stupide//s bête//s incapable//s inutile//s horrible//s
    terrible//s insupportable//s ridicule//s lamentable//s pénible//s fou folle malhonnête//s méchant//e lâche//s impoli//e catastrophe`,
};

const SPANISH: JudgementWords = {
  people: `él ella usuari/o/a jef/e/es/a/as becari/o/os/a/as compañer/o/os/a/as colega//s desarrollador//a/es emplead/o/os/a/as cliente//s
    caser/o/a vecin/o/os/a/as porter/o/a profesor//a director//a médic/o/a abogad/o/a alcalde//sa marido mujer herman/o/a madre padre
    cuñad/o/a suegr/o/a amig/o/a`,
  be: 'es son era eran está están soy',
  small: `un//a unos unas el la los las este esta ese esa mi nuestr/o/a su nuev/o/a muy tan demasiado realmente
    completamente totalmente bastante siempre también simplemente más y`,
  traits: `idiota//s imbécil//es cretin/o/os/a/as mentiros/o/os/a/as estafador//a/es ladr/ón/ona/ones tacañ/o/os/a/as avar/o/os/a/as
    holgaz/án/ana/anes cobarde//s hipócrita//s cabr/ón/ona/ones gilipollas sinvergüenza//s incompetente//s inept/o/os/a/as
    arrogante//s prepotente//s egoísta//s maleducad/o/os/a/as`,
  faults: `vag/o/os/a/as terc/o/a torpe//s ignorante//s perezos/o/os/a/as estúpid/o/os/a/as incapa/z/ces pésim/o/os/a/as horrible//s
    terrible//s insoportable//s ridícul/o/a loc/o/a tont/o/os/a/as inútil//es deshonest/o/a groser/o/a desastre basura`,
};

const ITALIAN: JudgementWords = {
  people: `lui lei utente cap/o/a/i collega colleghi stagist/a/e/i sviluppat/ore/rice dipendente client/e/i proprietari/o/a inquilin/o/a
    vicin/o/a portier/e/a custode professore//ssa dirett/ore/rice medico avvocat/o/a sindac/o/a marito moglie fratello sorella madre padre
    cognat/o/a suocer/o/a amic/o/a squadra`,
  be: 'è sono era erano',
  small: `un un' una uno dei delle il lo la i gli le l' questo questa quello quella mio mia nostr/o/a suo sua nuov/o/a
    molto così troppo davvero veramente completamente totalmente piuttosto sempre anche proprio semplicemente vero vera e`,
  traits: `idiot/a/i/e imbecill/e/i cretin/o/a/i/e bugiard/o/a/i/e imbroglion/e/a/i truffat/ore/rice/ori ladr/o/a/i tirchi//o/a/e
    avar/o/a/i/e fannullon/e/a/i scansafatiche codard/o/a/i vigliacc/o/a/hi/he ipocrit/a/i/e stronz/o/a/i/e incompetent/e/i inett/o/a/i/e
    arrogant/e/i presuntuos/o/a/i/e egoist/a/i/e maleducat/o/a/i/e`,
  faults: `testard/o/a ignorant/e/i sciatt/o/a pigr/o/a/i/e stupid/o/a/i/e incapac/e/i inutil/e/i pessim/o/a/i/e orribil/e/i terribil/e/i
    insopportabil/e/i ridicol/o/a/i/e pazz/o/a/i scem/o/a/i/e disonest/o/a/i/e disastro spazzatura`,
};

const PORTUGUESE: JudgementWords = {
  people: `us/uário/uária utilizador//a chefe//s colega//s estagiári/o/os/a/as desenvolvedor//a/es funcionári/o/os/a/as cliente//s
    senhori/o/a inquilin/o/a vizinh/o/os/a/as porteir/o/a professor//a diretor//a médic/o/a advogad/o/a prefeit/o/a marido mulher irmã
    irmão mãe pai cunhad/o/a sogr/o/a amig/o/a equip/e/a`,
  be: 'é são era eram está estão sou',
  small: `um//a uns umas o a os as este esta esse essa meu minha noss/o/a seu sua nov/o/a muito tão demasiado realmente
    completamente totalmente bastante sempre também simplesmente mais e`,
  traits: `idiota//s imbeci/l/s cretin/o/os/a/as mentiros/o/os/a/as vigarista//s golpista//s trapaceir/o/os/a/as ladr/ão/a/ões
    avarent/o/os/a/as sovina//s forreta//s covarde//s cobarde//s hipócrita//s canalha//s babaca//s incompetente//s inept/o/os/a/as
    arrogante//s prepotente//s egoísta//s mal-educad/o/os/a/as`,
  faults: `teimos/o/a desleixad/o/a ignorante//s preguiços/o/os/a/as burr/o/os/a/as estúpid/o/os/a/as inútil inúteis incapaz//es
    péssim/o/os/a/as horríve/l/is terríve/l/is insuportáve/l/is ridícul/o/a louc/o/a desonest/o/a grosseir/o/a desastre lixo`,
};

const RUSSIAN: JudgementWords = {
  people: `пользователь начальни/к/ца шеф босс коллег/а/и стажёр//ка стажер//ка разработчи/к/ца сотрудни/к/ца клиент//ка
    заказчи/к/ца хозяин хозяйка сосед//ка/и сторож учитель//ница завуч директор врач адвокат мэр руководитель менеджер муж жена брат
    сестра мать отец шурин зять тёща теща свекровь друг подруга`,
  be: 'был//а/и является оказал/ся/ась',
  isBeLeftOut: true,
  small: `этот эта наш//а мой моя нов/ый/ая очень такой такая так слишком просто совершенно абсолютно полный полная настоящий настоящая
    довольно вообще всегда крайне и`,
  traits: `идиот//ка/ы дура//к/ки дебил//ка/ы кретин//ка/ы тупица лжец лгун//ья/ы врун//ья/ы обманщи/к/ца/ки мошенни/к/ца/ки жулик//и вор
    аферист//ка/ы лентяй//ка бездельни/к/ца/ки скряга жмот жадина трус//иха лицемер//ка подлец негодяй мерзавец истери/чка/к хам//ка
    бездарь некомпетент/ный/ная/ен/на высокомер/ный/ная/ен/на эгоист//ка`,
  faults: `упрям/ый/ая небрежн/ый/ая бесполез/ный/ная/ен/на ужас/ный/ная/ен/на отвратительн/ый/ая безнадёж/ный/ная никчёмн/ый/ая
    ненадёжн/ый/ая ленив//ый/ая жадн/ый/ая глуп//ый/ая/а туп/ой/ая лжив/ый/ая нагл/ый/ая подл/ый/ая нечестн/ый/ая мусор кошмар`,
};

export const JUDGEMENT_WORDS: Readonly<Record<Exclude<Language, UnspacedLanguage>, JudgementWords>> = {
  en: ENGLISH,
  de: GERMAN,
  nl: DUTCH,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  ru: RUSSIAN,
};
