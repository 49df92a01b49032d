/** How days are named relative to today in French, Spanish, Italian and Portuguese. */

import type { DayWords } from './day-words.ts';

export const FRENCH_DAYS: DayWords = {
  mark: /demain|hier|jour|semaine|mois|année|\bans\b|(?:un |l['’])an\b|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche/i,
  days: [
    ['après-demain', 2],
    ['avant-hier', -2],
    // In German "hier" means here: a French word must stand before or behind it.
    [
      "hier(?=,? (?:soir|matin|midi|après|les?|la|l['\u2019]|une?|des|on|nous|je|j['\u2019]|il|elle|ils|elles|à|au|par)(?!\\p{L}))",
      -1,
    ],
    ["(?<=\\p{L}(?:ée?|i|ie|u|ue|is|ise|it|ite)s? |(?:depuis|dès|est|était|date|datent) |d['’])hier", -1],
    ['demain', 1],
    ["aujourd['\u2019]hui", 0],
  ],
  counts: 'une?,deux,trois,quatre,cinq,six,sept,huit,neuf,dix,onze,douze'.split(','),
  units: { day: 'jours?', week: 'semaines?', month: 'mois', year: 'ans?|années?' },
  later: ['dans COUNT UNIT', "d['\u2019]ici COUNT UNIT"],
  ago: ['il y a COUNT UNIT'],
  notBefore: "de|d['\u2019]\\p{L}+|par|ouvr\\p{L}+|après",
  on: 'le ',
  weekdays: 'dimanche,lundi,mardi,mercredi,jeudi,vendredi,samedi'.split(','),
  weekdayOf: {
    coming: ['DAY prochain', 'DAY qui vient', 'ce DAY'],
    next: ['DAY de la semaine prochaine', '(?:la )?semaine prochaine,? (?:le )?DAY'],
    last: ['DAY dernier', 'DAY passé'],
  },
  week: (monday) => `la semaine du ${monday}`,
  weeks: [
    ['la semaine (?:prochaine|qui vient)', 1],
    ['cette semaine', 0],
    ['la semaine (?:dernière|passée)', -1],
  ],
  months: [
    ['(?:le )?mois (?:prochain|qui vient)', 1],
    ['ce mois-ci', 0],
    ['(?:le )?mois (?:dernier|passé)', -1],
  ],
  years: [
    ["l['\u2019]an(?:née)? prochaine?", 1],
    ["l['\u2019]an(?:née)? (?:derni(?:er|ère)|passée?)", -1],
  ],
};

export const SPANISH_DAYS: DayWords = {
  mark: /ma[ñn]ana|ayer|anoche|antier|\bhoy\b|\bd[ií]as?\b|semana|\bmes(?:es)?\b|\ba[ñn]os?\b|domingo|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado/i,
  days: [
    ['pasado mañana', 2],
    ['anteayer|antes de ayer|antier', -2],
    ['anoche', -1],
  ],
  counts: 'un[ao]?,dos,tres,cuatro,cinco,seis,siete,ocho,nueve,diez,once,doce'.split(','),
  units: { day: 'días?|dias?', week: 'semanas?', month: 'mes(?:es)?', year: 'años?' },
  later: ['(?:dentro de|de aquí a|de acá a|en) COUNT UNIT'],
  ago: ['hace COUNT UNIT', 'COUNT UNIT atrás'],
  notBefore: 'de|del|que|hábiles|laborables|después|antes',
  on: 'el ',
  weekdays: 'domingo,lunes,martes,miércoles|miercoles,jueves,viernes,sábado|sabado'.split(','),
  weekdayOf: {
    coming: ['(?:próximo|este) DAY', 'DAY (?:que viene|próximo)'],
    next: ['DAY de la (?:semana que viene|(?:próxima|siguiente) semana)'],
    last: ['pasado DAY', 'DAY pasado'],
  },
  week: (monday) => `la semana del ${monday}`,
  weeks: [
    ['la (?:(?:próxima|siguiente) semana|semana (?:que viene|próxima|entrante))', 1],
    ['esta semana', 0],
    ['la (?:semana pasada|pasada semana)', -1],
  ],
  months: [
    ['(?:el )?(?:próximo mes|mes que viene|mes próximo)', 1],
    ['este mes', 0],
    ['(?:el )?(?:mes pasado|pasado mes)', -1],
  ],
  years: [
    ['(?:el )?(?:próximo año|año que viene)', 1],
    ['(?:el )?año pasado', -1],
  ],
};

export const ITALIAN_DAYS: DayWords = {
  mark: /domani|ieri|oggi|sta(?:sera|mattina|notte)|giorn|settiman|\bmes[ei]\b|\bann[oi]\b|(?:lun|mart|mercol|giov)ed|venerd|sabato|domenica/i,
  days: [
    ["l['\u2019]altro ?ieri|ieri l['\u2019]altro|altroieri", -2],
    ['dopodomani|dopo ?domani', 2],
    ['stasera|stamattina|stamani|stanotte', 0],
    ['ieri', -1],
    ['oggi', 0],
    ['domani', 1],
  ],
  counts: "un['oa\u2019]?,due,tre,quattro,cinque,sei,sette,otto,nove,dieci,undici,dodici".split(','),
  units: { day: 'giorn[oi]', week: 'settiman[ae]', month: 'mes[ei]', year: 'ann[oi]' },
  later: ['[ft]ra COUNT UNIT', 'da qui a COUNT UNIT'],
  ago: ['COUNT UNIT fa'],
  notBefore: "di|d['\u2019]\\p{L}+|dopo|lavorativi|festivi",
  on: 'il ',
  weekdays: 'domenica,luned[iì],marted[iì],mercoled[iì],gioved[iì],venerd[iì],sabato'.split(','),
  weekdayOf: {
    coming: ['DAY prossim[oa]', 'prossim[oa] DAY', 'quest[oa] DAY'],
    next: ['DAY della (?:settimana prossima|prossima settimana)'],
    last: ['DAY (?:scors[oa]|passat[oa])', '(?:l[oa] )?scors[oa] DAY'],
  },
  week: (monday) => `la settimana del ${monday}`,
  weeks: [
    ['(?:la )?(?:settimana prossima|prossima settimana)', 1],
    ['questa settimana', 0],
    ['(?:la )?(?:settimana (?:scorsa|passata)|scorsa settimana)', -1],
  ],
  months: [
    ['(?:il )?(?:mese prossimo|prossimo mese)', 1],
    ['questo mese', 0],
    ['(?:il |lo )?(?:mese scorso|scorso mese)', -1],
  ],
  years: [
    ["(?:l['\u2019]anno prossimo|il prossimo anno)", 1],
    ["(?:l['\u2019]anno scorso|lo scorso anno)", -1],
  ],
};

export const PORTUGUESE_DAYS: DayWords = {
  mark: /amanh|ontem|hoje|\bdias?\b|semana|\bm(?:ê|e)s(?:es)?\b|\banos?\b|segunda|ter[çc]a|quarta|quinta|sexta|s[áa]bado|domingo/i,
  days: [
    ['depois de amanhã', 2],
    ['anteontem|antes de ontem', -2],
    ['ontem', -1],
    ['hoje', 0],
    ['amanhã', 1],
  ],
  counts: 'uma?,d(?:ois|uas),três|tres,quatro,cinco,seis,sete,oito,nove,dez,onze,doze'.split(','),
  units: { day: 'dias?', week: 'semanas?', month: 'm[eê]s|meses', year: 'anos?' },
  later: ['(?:daqui a|dentro de|em) COUNT UNIT'],
  ago: ['há COUNT UNIT(?: atrás)?', 'COUNT UNIT atrás', 'faz COUNT UNIT'],
  notBefore: 'de|do|da|que|úteis|depois|antes|por',
  on: 'em ',
  weekdays:
    'domingo,segunda(?:-feira)?,terça(?:-feira)?,quarta(?:-feira)?,quinta(?:-feira)?,sexta(?:-feira)?,sábado'.split(
      ',',
    ),
  weekdayOf: {
    coming: ['próxim[oa] DAY', 'DAY que vem', 'est[ea] DAY', 'DAY próxim[oa]'],
    next: ['DAY da (?:próxima semana|semana que vem)'],
    last: ['DAY passad[oa]', 'passad[oa] DAY'],
  },
  week: (monday) => `semana de ${monday}`,
  weeks: [
    ['próxima semana|semana que vem', 1],
    ['n?esta semana', 0],
    ['semana passada', -1],
  ],
  months: [
    ['próximo mês|mês que vem', 1],
    ['este mês', 0],
    ['mês passado', -1],
  ],
  years: [
    ['próximo ano|ano que vem', 1],
    ['ano passado', -1],
  ],
};
