/** Words that judge people in English, German and Dutch. */

import type { JudgementWords } from './judgement-words.ts';

export const ENGLISH_JUDGEMENTS: JudgementWords = {
  isKindLast: true,
  people: `
    he she boss//es manager//s colleague//s coworker//s co-worker//s
    team/mate/mates/-mate/-mates intern//s trainee//s junior//s senior//s developer//s dev//s engineer//s
    designer//s tester//s reviewer//s admin//s customer//s client//s contractor//s freelancer//s consultant//s
    lead//s ceo cto cfo founder//s people guy//s team//s person//s man men wom/an/en maintainer//s accountant//s
    supervisor//s professor//s student//s partner//s wife husband neighbo/r/rs/ur/urs landlord//s landlad/y/ies
    tenant//s caretaker//s janitor//s headmaster//s principal//s teacher//s doctor//s dentist//s nurse//s lawyer//s
    mayor//s minister//s officer//s clerk//s secretar/y/ies assistant//s apprentice//s plumber//s electrician//s
    builder//s cook//s waiter//s waitress//es sales/man/woman/people/person recruiter//s investor//s brother//s
    sister//s mother//s father//s mum mom dad uncle//s aunt//s cousin//s son//s daughter//s kid//s child//ren
    parent//s mother-in-law mothers-in-law father-in-law fathers-in-law brother-in-law brothers-in-law sister-in-law
    sisters-in-law son-in-law sons-in-law daughter-in-law daughters-in-law ex friend//s roommate//s flatmate//s
    employee//s staff chairman chairwoman director//s pm po`,
  user: `
    user//s i`,
  be: `
    is are was were am be being been become became`,
  between: `
    a an the so very really too just quite such totally completely utterly always often rather pretty also extremely
    incredibly simply both still again considered bit kind`,
  not: `
    not never no nobody hardly without`,
  tail: `
    of from in at on with for who which that to behind`,
  traits: `
    idiot//s moron//s imbecile//s fool//s jerk//s asshole//s loser//s liar//s crook//s cheat//s cheater//s
    scammer//s swindler//s thie/f/ves freeloader//s scrounger//s miser//s cheapskate//s skinflint//s slacker//s
    coward//s bull/y/ies gossip//s snob//s bigot//s creep//s scumbag//s bastard//s bitch//es narcissist//s/ic
    psychopath//s crybab/y/ies know-it-all micromanager//s backstabber//s hypocrit/e/es/ical incompetent inept
    arrogant clueless   deceitful two-faced hot/headed/-headed
    bad-tempered short-tempered selfish stingy vain manipulative spiteful vindictive lecherous
    conceited pompous cowardly spineless dimwit//s/ic dim-witted slow-witted lunatic//s `,
  loose: `
    lazy greedy dumb ignorant stubborn impatient careless sloppy nasty rude dishonest untrustworthy moody immature cruel irresponsible`,
  faults: `
    useless stupid terrible awful horrible hopeless worthless unreliable annoying pathetic ridiculous crap rubbish
    garbage trash crazy insane mess disaster nightmare toxic unprofessional nuisance//s`,
  skills: `
    bad weak poor slow`,
};

export const GERMAN_JUDGEMENTS: JudgementWords = {
  areNounsCapital: true,
  people: `
    herr frau chef//in kolleg/e/in/en/innen praktikant//in/en entwickler//in mitarbeiter//in kund/e/in/en
    vermieter//in mieter//in nachbar//in/n hausmeister//in lehrer//in rektor//in direktor//in schulleiter//in arzt
    ärztin zahnarzt anwalt anwältin bürgermeister//in azubi lehrling student//in professor//in leiter//in
    teamleiter//in abteilungsleiter//in geschäftsführer//in vorgesetzte//r partner//in mann ehemann ehefrau bruder
    schwester mutter vater onkel tante cousin cousine schwager schwägerin schwiegermutter schwiegervater sohn
    tochter ex freund//in mitbewohner//in handwerker klempner team leute trainer//in pfarrer//in sekretärin
    berater//in dienstleister verkäufer//in steuerberater//in prüfer//in gutachter//in`,
  user: `
    nutzer nutzerin benutzer benutzerin anwender//in ich`,
  be: `
    ist sind war waren sei bin wäre bleibt`,
  between: `
    ein//e/er der die so sehr echt wirklich total völlig absolut ziemlich einfach nur auch immer richtig ganz
    dermaßen extrem furchtbar leider`,
  not: `
    nicht kein//e/er/en nie niemals`,
  tail: `
    von vom aus in im bei beim mit für des der`,
  traits: `
    idiot//en vollidiot//en dummkopf trottel depp volltrottel lügner//in betrüger//in gauner//in dieb//in
    schmarotzer//in faulpelz faulenzer//in geizhals geizkragen feigling angeber//in versager//in arschloch mistkerl
    heuchler//in spinner//in choleriker//in schleimer//in nichtsnutz inkompetent//e/er/en/es/em
    arrogant//e/er/en/es/em überheblich//e/er/en/es/em hinterhältig//e/er/en/es/em hinterlistig//e/er/en/es/em
    verlogen//e/er/en/es/em unehrlich//e/er/en/es/em geizig//e/er/en/es/em stinkfaul//e/er/en/es/em
    unverschämt//e/er/en/es/em eingebildet//e/er/en/es/em egoistisch//e/er/en/es/em rücksichtslos//e/er/en/es/em
    feige gehässig//e/er/en/es/em cholerisch//e/er/en/es/em unhöflich//e/er/en/es/em respektlos//e/er/en/es/em
    ahnungslos//e/er/en/es/em`,
  loose: `
    faul//e/er/en/es stur//e/er/en/es/em gierig//e/er/en/es/em schlampig//e/er/en/es/em
    ungeduldig//e/er/en/es/em ignorant//e/er/en/es/em`,
  faults: `
    dumm//e/er/en/es doof//e/er/en/es/em blöd//e/er/en/es/em unfähig//e/er/en/es/em nutzlos//e/er/en/es/em
    furchtbar//e/er/en/es/em schrecklich//e/er/en/es/em unzuverlässig//e/er/en/es/em unmöglich
    lächerlich//e/er/en/es/em unprofessionell//e/er/en/es/em müll katastrophe verrückt`,
  skills: `
    schlecht//e/er/en/es langsam//e/er/en/es schwach//e/er/en/es`,
};

export const DUTCH_JUDGEMENTS: JudgementWords = {
  people: `
    meneer mevrouw baas chef manager collega//'s/’s stagiair//s/e/es ontwikkelaar//s medewerker//s klant//en
    verhuurder huurder huisbaas buur/man/vrouw buren conciërge leraar lerares juf meester directeur directrice
    rector arts huisarts tandarts advocaat burgemeester wethouder student//e professor teamleider leidinggevende
    partner man vrouw broer zus zwager schoon/zus/moeder/vader/broer/zoon/dochter/ouders moeder vader oom tante neef
    nicht zoon dochter ex vriend//in huisgenoot loodgieter aannemer team mensen trainer dominee secretaresse
    adviseur verkoper boekhouder penningmeester voorzitter`,
  user: `
    gebruik/er/ster ik`,
  be: `
    is zijn was waren ben blijft lijkt`,
  between: `
    een de zo heel erg echt zeer te gewoon ook altijd nogal best totaal volkomen ontzettend behoorlijk vreselijk`,
  not: `
    niet geen nooit`,
  tail: `
    van uit in bij met voor op die dat`,
  traits: `
    idioot idioten sukkel leugenaar//s oplichter//s bedrieger//s dief dieven klaploper luilak luiaard vrek
    gierigaard krent lafaard opschepper eikel klootzak huichelaar nietsnut prutser mislukkeling
    incompetent//e/er/en/es/em onbekwaam onbekwame arrogant//e gierig//e leugenachtig//e oneerlijk//e egoïstisch//e
    verwaand//e onbeschoft//e brutaal brutale achterbaks//e/er/en/es/em gemeen gemene laf laffe hebberig//e onnozel//e`,
  loose: `
    lui//e koppig//e slordig//e ongeduldig//e`,
  faults: `
    dom domme stom stomme nutteloos nutteloze onbetrouwbaar onbetrouwbare vreselijk//e waardeloos waardeloze rommel
    ramp gek onprofessioneel onprofessionele`,
  skills: `
    slecht//e traag trage langzaam langzame zwak zwakke`,
};
