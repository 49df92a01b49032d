import { expect, test } from 'vitest';
import { withAbsoluteDates } from './relative-dates.ts';

/** Wednesday. */
const NOW = new Date(2026, 0, 7, 15, 30);

test.each([
  // Titles.
  'The choir sings “Tomorrow” from Annie at the fair.',
  "The label says 'due today' in red.",
  'The button "Remind me tomorrow" is hidden.',
  'Set the default of `today` in the picker.',
  'The choir sings Tomorrow at the fair.',
  'The magazine is called Today and appears on Fridays.',
  'Die Rubrik heißt »Gestern« und erscheint monatlich.',
  'Die Zeitschrift „Heute“ liegt aus.',
  'Le film « Après-demain » passe au ciné-club.',
  "La rubrique s'appelle « Hier et aujourd'hui ».",
  'La novela se titula «Mañana».',
  'La rivista si chiama Oggi.',
  'O livro chama-se “Amanhã”.',
  'Het boek ‘Gisteren’ ligt op de leestafel.',
  'Рубрика называется «Вчера и сегодня».',
  '映画『明日』を上映する。',
  '칼럼 제목은 ‘내일’이다.',
  '专栏名叫《昨天与今天》。',
  'Le journal « Demain',
  // Mornings.
  'Guten Morgen sagt der Bot immer zuerst.',
  'Jeden Morgen um sechs läuft das Backup.',
  'Der Morgen beginnt mit der Andacht.',
  'Elke morgen om zeven gaat de poort open.',
  'De chatbot begint met goede morgen.',
  'Cada mañana se riegan las plantas.',
  'El taller abre por la mañana y cierra a las dos.',
  'El turno de mañana empieza a las seis.',
  'Завтрак подают в восемь.',
  // What is only called after a day.
  "The shop sells yesterday's bread at half price.",
  "The canteen serves today's special until it runs out.",
  'Engineers of tomorrow is the theme of the fair.',
  'Die Schule von morgen ist das Thema der Tagung.',
  "La boulangerie vend le pain d'hier à moitié prix.",
  "Le monde d'aujourd'hui exige des mots de passe.",
  'Los ciudadanos de mañana es el lema.',
  'Il convegno parla della scuola di domani.',
  'A padaria vende o pão de ontem pela metade do preço.',
  'De bakker verkoopt het brood van gisteren.',
  'Пекарня продаёт вчерашний хлеб за полцены.',
  '明日香さんが受付を担当する。',
  // Nowadays, and sayings.
  'Our motto is: build for tomorrow, not for today.',
  "Le mot d'ordre : penser à demain, pas à aujourd'hui.",
  'De leus is: bouwen voor morgen, niet voor vandaag.',
  'Das ändert sich nicht von heute auf morgen.',
  'Bis heute läuft die Anlage mit Dampf.',
  'Hoy en día casi nadie manda faxes.',
  'Hoje em dia quase ninguém manda fax.',
  '今日の社会では紙の書類は少ない。',
  '今日では手書きの書類は珍しい。',
  '今天的社会很少用传真。',
  '오늘날 팩스는 드물다.',
  // Every day has another tomorrow.
  'Every evening the bot lists what is due tomorrow.',
  '毎日、明日の予定を確認する。',
  // Lengths of time, and days counted from something else.
  'The patch was written in two weeks.',
  'Refunds usually arrive in 5 days.',
  'El pedido siempre llega en tres días.',
  'Il y a trois jours de congé par an.',
  'La scelta è fra tre settimane di ferie e un premio.',
  'Há duas semanas de férias no contrato.',
  'Het verslag gaat over drie weken stage.',
  'Оплата через три дня после поставки.',
  'Совещание бывает через день.',
  '締め切りの3日前までに原稿を出す。',
  '마감 3일 전까지 원고를 낸다.',
  '휴가 3일 전에 알린다.',
  '考试三天前要交费。',
  '截止日期前三天交稿。',
  // No one day.
  'The team met two or three weeks ago.',
  'The audit was 2-3 weeks ago.',
  'The audit was 2.5 weeks ago.',
  'Много лет назад тут был завод.',
  'Сорок два дня назад подписали договор.',
  '两三天前有人来过。',
  // Words that only hold one.
  '今后天气会影响施工。',
  '先天不足，后天努力。',
  'Der Raum ist hier im Haus.',
])('stays as it is: %s', (text) => {
  expect(withAbsoluteDates(text, NOW)).toBe(text);
});

test.each([
  ['As of today the old portal is closed.', '2026-01-07'],
  ['The demo is tomorrow, not today.', '2026-01-08'],
  ['The user said: "The pilot of the new booking system starts tomorrow."', '2026-01-08'],
  ['We deploy every day, but tomorrow we freeze.', '2026-01-08'],
  ['我们每天部署，明天冻结。', '2026-01-08'],
  ['From tomorrow every day begins with a stand-up.', '2026-01-08'],
  ['The users’ plan ends tomorrow, the teams’ plan later.', '2026-01-08'],
  ['Der Plan steht. Morgen kommt der Prüfer.', '2026-01-08'],
  ['Die Prüfung ist am Freitag der nächsten Woche.', '2026-01-16'],
  ['Hier, le plombier a changé le joint.', '2026-01-06'],
  ['La reunión es pasado mañana por la mañana.', '2026-01-09'],
  ['A partir de mañana la entrada es por el patio.', '2026-01-08'],
  ['A partir de amanhã a entrada é pelo pátio.', '2026-01-08'],
  ['Vanaf morgen is de ingang aan de achterkant.', '2026-01-08'],
  ['検査は三日後です。', '2026-01-10'],
  ['점검은 사흘 뒤이다.', '2026-01-10'],
  ['明天起从后门进。', '2026-01-08'],
])('is still a date: %s', (text, date) => {
  expect(withAbsoluteDates(text, NOW)).toContain(date);
});
