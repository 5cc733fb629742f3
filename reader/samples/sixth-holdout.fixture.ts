// The sixth set held out, and the last: what well-known kinds of sites say when they have nothing to give, and what small ones
// publish. Written before any verdict on it was seen, and no rule or word was made for it since.
import { page, type Saved, script, site } from './sample.fixture.ts'

const saved = (name: string, html: string, contentType?: string): Saved => ({
  name,
  html,
  ...(contentType === undefined ? {} : { contentType }),
})

const rows = (lang: string, title: string, ...lines: readonly string[]) =>
  page(
    title,
    `<div class="c">${lines.map((line) => `<div>${line}</div>`).join('')}</div>`,
    '',
    lang,
  )

const portal = (
  lang: string,
  title: string,
  menu: readonly string[],
  ...lines: readonly string[]
) =>
  page(
    title,
    `<div class="hd"><a href="/">☰</a>${menu.map((item) => `<a href="#">${item}</a>`).join('')}</div><div class="bd"><h1>${lines[0]}</h1>${lines
      .slice(1)
      .map((line) => `<p>${line}</p>`)
      .join(
        '',
      )}</div><div class="ft"><a href="#">${menu[0]}</a> · <a href="#">${menu.at(-1)}</a></div>`,
    script('/p.js'),
    lang,
  )

export const sixthHeldWalls: readonly Saved[] = [
  saved(
    'code forge, too quick',
    rows(
      'en',
      'Whoa',
      'Whoa there!',
      'You have triggered an abuse detection mechanism.',
      'Please wait a few minutes before you try again.',
    ),
  ),
  saved(
    'mirror of packages',
    rows(
      'en',
      '403',
      'Your IP has been added to our deny list because of excessive downloads.',
      'Mail mirror-admin with your address to be removed.',
    ),
  ),
  saved(
    'recipes, English',
    rows(
      'en',
      'Hang on',
      'Let’s make sure you’re a person',
      'Drag the arrow to fit the missing piece.',
    ),
  ),
  saved(
    'flights, German',
    rows(
      'de',
      'Prüfung',
      'Bitte lösen Sie das Rätsel, um fortzufahren',
      'So schützen wir unsere Seite vor automatisierten Zugriffen.',
    ),
  ),
  saved(
    'flats, French',
    rows(
      'fr',
      'Vérification',
      'Un instant, nous vérifions votre navigateur',
      'Cette étape ne prend que quelques secondes.',
    ),
  ),
  saved(
    'shop, Spanish',
    rows(
      'es',
      'Seguridad',
      'Necesitamos comprobar que no eres un programa automático',
      'Marca la casilla para continuar.',
    ),
  ),
  saved(
    'news, Portuguese',
    rows(
      'pt',
      'Acesso',
      'O seu acesso foi temporariamente bloqueado',
      'Detetámos um número invulgar de pedidos a partir da sua rede.',
    ),
  ),
  saved(
    'maps, Russian',
    rows(
      'ru',
      'Ой!',
      'Нам очень жаль, но запросы с вашего устройства похожи на автоматические',
      'Введите символы с картинки',
    ),
  ),
  saved(
    'jobs, Polish',
    rows('pl', 'Weryfikacja', 'Zanim przejdziesz dalej, potwierdź, że jesteś człowiekiem'),
  ),
  saved(
    'forum, Japanese',
    rows(
      'ja',
      'アクセス制限',
      'お使いのIPアドレスからのアクセスは制限されています',
      'ご不明な点は管理者までお問い合わせください',
    ),
  ),
  saved(
    'shop, Chinese',
    rows('zh-CN', '访问受限', '当前网络存在异常，请稍后重试', '如需继续访问，请完成下方验证'),
  ),
  saved(
    'shop, Korean',
    rows(
      'ko',
      '접속 제한',
      '짧은 시간에 너무 많은 요청이 있었습니다',
      '잠시 후 다시 시도해 주세요',
    ),
  ),
  saved(
    'bank, Italian',
    rows(
      'it',
      'Attenzione',
      'La tua richiesta non può essere elaborata per motivi di sicurezza',
      'Codice di riferimento 18.4f',
    ),
  ),
  saved(
    'government, English',
    rows(
      'en',
      'Request blocked',
      'What happened?',
      'Our protection service considers this request to be unsafe.',
      'Quote 0a1b-33 if you contact us.',
    ),
  ),
  saved(
    'photo network',
    rows(
      'en',
      'Log in',
      'See what your friends are up to',
      'Log in or sign up to view this profile',
    ),
  ),
  saved(
    'business network, German',
    rows(
      'de',
      'Anmelden',
      'Melden Sie sich an, um das vollständige Profil zu sehen',
      'Noch kein Mitglied? Jetzt registrieren',
    ),
  ),
  saved(
    'answers, French',
    rows(
      'fr',
      'Connexion',
      'Connectez-vous pour lire la réponse',
      'Créez un compte gratuit en une minute',
    ),
  ),
  saved(
    'magazine, English',
    portal(
      'en',
      'On moss',
      ['Latest', 'Archive', 'Shop'],
      'On moss',
      'It takes a century to make an inch of it.',
      'You’ve read your last complimentary article.',
      'Subscribe now for unlimited access.',
    ),
  ),
  saved(
    'paper, Italian',
    portal(
      'it',
      'Il molo',
      ['Cronaca', 'Sport'],
      'Il molo',
      'Contenuto riservato agli abbonati',
      'Abbonati da 1 € al mese o accedi',
    ),
  ),
  saved(
    'paper, Dutch',
    portal(
      'nl',
      'De dijk',
      ['Nieuws', 'Sport'],
      'De dijk',
      'Dit artikel is alleen voor abonnees',
      'Word abonnee of log in',
    ),
  ),
  saved(
    'search engine consent, German',
    rows(
      'de',
      'Bevor Sie fortfahren',
      'Wir verwenden Cookies und Daten, um Dienste bereitzustellen und Werbung zu messen',
      'Alle ablehnen',
      'Alle akzeptieren',
      'Weitere Optionen',
    ),
  ),
  saved(
    'video site consent, Spanish',
    rows(
      'es',
      'Antes de continuar',
      'Utilizamos cookies para ofrecer anuncios personalizados',
      'Rechazar todo',
      'Aceptar todo',
    ),
  ),
  saved(
    'beer, Dutch',
    rows('nl', 'Leeftijd', 'Ben je 18 jaar of ouder?', 'Ja', 'Nee', 'Geniet, maar drink met mate'),
  ),
  saved(
    'stream, German',
    rows('de', 'Video', 'Dieses Video ist in deinem Land leider nicht verfügbar'),
  ),
  saved(
    'shop, not found, English',
    portal(
      'en',
      'Oops',
      ['Women', 'Men', 'Kids', 'Home', 'Sale'],
      'Well, this is embarrassing',
      'The page you requested could not be found.',
      'It may have been moved or deleted.',
    ),
  ),
  saved(
    'shop, gone, German',
    portal(
      'de',
      'Artikel',
      ['Damen', 'Herren', 'Kinder'],
      'Dieser Artikel ist leider ausverkauft und kommt nicht wieder',
      'Entdecke ähnliche Produkte',
    ),
  ),
  saved(
    'city, not found, Finnish',
    portal(
      'fi',
      '404',
      ['Asuminen', 'Koulut'],
      'Hakemaasi sivua ei löytynyt',
      'Tarkista osoite tai palaa etusivulle.',
    ),
  ),
  saved(
    'museum, not found, Greek',
    portal(
      'el',
      '404',
      ['Συλλογή', 'Επίσκεψη'],
      'Η σελίδα που αναζητάτε δεν υπάρχει πια',
      'Επιστροφή στην αρχική σελίδα',
    ),
  ),
  saved(
    'job, closed, English',
    portal(
      'en',
      'Vacancy',
      ['Jobs', 'Employers', 'Advice'],
      'Sorry, this job has expired',
      'You can look at similar vacancies below.',
    ),
  ),
  saved(
    'ad, gone, Turkish',
    portal(
      'tr',
      'İlan',
      ['Vasıta', 'Emlak'],
      'Bu ilan yayından kaldırılmıştır',
      'Benzer ilanlara bakabilirsiniz',
    ),
  ),
  saved(
    'bank, works, Polish',
    rows(
      'pl',
      'Przerwa',
      'Trwają prace modernizacyjne',
      'Serwis będzie dostępny od godziny 6:00. Przepraszamy za utrudnienia.',
    ),
  ),
  saved(
    'shop, works, Russian',
    rows('ru', 'Скоро вернёмся', 'На сайте ведутся технические работы', 'Зайдите чуть позже'),
  ),
  saved(
    'service, failure, English',
    portal(
      'en',
      'Error',
      ['Help', 'Status'],
      'Something went wrong on our end',
      'We’ve been notified and are looking into it. Try refreshing.',
    ),
  ),
  saved(
    'service, failure, Swedish',
    portal(
      'sv',
      'Fel',
      ['Hjälp', 'Kontakt'],
      'Något gick fel',
      'Vi kan inte visa sidan just nu. Försök igen om en stund.',
    ),
  ),
  saved(
    'builder, unconnected',
    rows(
      'en',
      'Not connected',
      'This domain is not connected to a website yet',
      'Is it yours? Connect it in your dashboard.',
    ),
  ),
  saved(
    'registrar, Spanish',
    rows(
      'es',
      'Dominio',
      'Este dominio está registrado y aparcado',
      'Si eres el propietario, accede a tu panel de control',
    ),
  ),
  saved(
    'registrar, for sale',
    page(
      'oakbridge.example',
      `<h1>oakbridge.example is for sale</h1><p>Get this domain</p><p>Secure payment, fast transfer</p>${script('/lander.js')}`,
    ),
  ),
  saved(
    'fresh server',
    rows(
      'en',
      'Welcome',
      'If you can see this page, the web server was installed correctly',
      'You may now add content to its directory and replace this page.',
    ),
  ),
  saved(
    'app that needs scripts',
    `<html><head><title>Board</title></head><body><div id="board-root"></div><noscript>You need to enable JavaScript to run this app.</noscript>${script('/b.js')}</body></html>`,
  ),
  saved(
    'old browser, Spanish',
    rows(
      'es',
      'Navegador',
      'Tu navegador no es compatible',
      'Actualízalo para disfrutar de la web',
    ),
  ),
]

export const sixthHeldPages: readonly Saved[] = [
  saved(
    'parking prices',
    rows(
      'en',
      'Parking',
      'Car park at the quay',
      '1.20 an hour, 8 to 18',
      'Free on Sundays',
      'Season tickets at the harbour office',
    ),
  ),
  saved(
    'lost keys',
    rows(
      'en',
      'Found',
      'A bunch of keys with a red ribbon was found near the bandstand on Friday. Ask at the kiosk.',
    ),
  ),
  saved(
    'the mill is working again',
    rows(
      'en',
      'Mill',
      'The sails turn again since Easter. Flour on Saturdays, wholemeal or fine, bring your own bag.',
    ),
  ),
  saved(
    'a verse, German',
    rows(
      'de',
      'Regen',
      'Der Regen kennt die Dächer',
      'beim Namen und beim Ton,',
      'er fragt bei allen nach dir',
      'und trommelt sich davon.',
    ),
  ),
  saved(
    'a verse, Russian',
    rows(
      'ru',
      'Март',
      'Снег ещё лежит у забора,',
      'а грачи уже делят берёзы,',
      'и сосед выносит на солнце',
      'прошлогодние валенки.',
    ),
  ),
  saved(
    'a school menu, French',
    rows(
      'fr',
      'Menu',
      'Lundi : carottes râpées, poisson, riz',
      'Mardi : soupe, omelette, compote',
      'Jeudi : lentilles, yaourt',
    ),
  ),
  saved(
    'bus strike, Italian',
    rows(
      'it',
      'Sciopero',
      'Venerdì gli autobus circolano dalle sei alle nove e dalle diciassette alle venti. Le corse scolastiche sono garantite.',
    ),
  ),
  saved(
    'blood donors, Polish',
    rows(
      'pl',
      'Krew',
      'W środę od dziewiątej do czternastej stoi przed ratuszem krwiobus. Proszę zjeść śniadanie i zabrać dowód.',
    ),
  ),
  saved(
    'firewood, Czech',
    rows(
      'cs',
      'Dřevo',
      'Prodáme bukové dřevo, štípané, suché dva roky. Metr za tisíc šest set, dovoz po okrese zdarma.',
    ),
  ),
  saved(
    'choir, Dutch',
    rows(
      'nl',
      'Koor',
      'Wij zoeken twee tenoren. Repetitie op maandag in de oude pastorie. Noten lezen hoeft niet.',
    ),
  ),
  saved(
    'nursery, Swedish',
    rows(
      'sv',
      'Förskolan',
      'På fredag går vi till skogen. Ta med matsäck, regnkläder och en liten burk för insekter.',
    ),
  ),
  saved(
    'hut, Norwegian',
    rows(
      'no',
      'Hytta',
      'Nøkkelen henger hos Per. Ved ligger under trappa. Fyll på vannbøtta før dere går.',
    ),
  ),
  saved(
    'bees, Danish',
    rows(
      'da',
      'Honning',
      'Årets honning er tappet. Den lyse er fra raps, den mørke fra lyng. Glas kan byttes ved døren.',
    ),
  ),
  saved(
    'dates, Arabic',
    rows(
      'ar',
      'تمور',
      'وصل محصول هذا العام من واحة النخيل. السكري والبرحي متوفران بالكيلو وبالصندوق.',
    ),
  ),
  saved(
    'books, Hebrew',
    rows('he', 'ספרים', 'ביום חמישי מחלקים ספרים ישנים ליד המתנ״ס. קחו כמה שתרצו והביאו שקית.'),
  ),
  saved(
    'rain, Hindi',
    rows(
      'hi',
      'वर्षा',
      'कल रात ज़िले में बयालीस मिलीमीटर वर्षा हुई। नदी का जलस्तर सामान्य है और स्कूल खुले रहेंगे।',
    ),
  ),
  saved(
    'river, Thai',
    rows('th', 'ระดับน้ำ', 'ระดับน้ำที่สะพานเช้านี้สองเมตรสิบ ลดลงจากเมื่อวานยี่สิบเซนติเมตร เรือข้ามฟากวิ่งตามเวลา'),
  ),
  saved(
    'rice, Vietnamese',
    rows(
      'vi',
      'Giá gạo',
      'Gạo nàng hương hai mươi hai nghìn một cân, gạo nếp ba mươi nghìn. Mua từ mười cân giao tận nhà.',
    ),
  ),
  saved(
    'ferry, Indonesian',
    rows(
      'id',
      'Kapal',
      'Kapal ke pulau berangkat pukul tujuh dan pukul dua. Tiket dijual di dermaga, anak kecil gratis.',
    ),
  ),
  saved(
    'plum rain, Japanese',
    rows(
      'ja',
      '梅雨',
      '今年の梅雨入りは平年より四日早い六月三日でした。紫陽花は今週末が見頃です。',
    ),
  ),
  saved(
    'persimmons, Korean',
    rows(
      'ko',
      '곶감',
      '올해 곶감은 십이월 초에 나옵니다. 한 상자에 서른 개, 예약은 전화로 받습니다.',
    ),
  ),
  saved(
    'well, Chinese',
    rows('zh-CN', '古井', '村口的古井建于明代，井深十二米，至今水清。每年清明由各家轮流清洗。'),
  ),
  saved(
    'beach, Greek',
    rows(
      'el',
      'Παραλία',
      'Η παραλία έχει ντους, ομπρέλες και καντίνα από τον Ιούνιο ως τον Σεπτέμβριο. Το λεωφορείο περνά κάθε ώρα.',
    ),
  ),
  saved(
    'market, Hungarian',
    rows(
      'hu',
      'Piac',
      'A piac szombaton reggel hattól délig tart. Új árus: kecskesajt Bakonyból. Parkolni a templomnál lehet.',
    ),
  ),
  saved(
    'what robots.txt is for',
    site(
      'robots.txt',
      '<h1>What robots.txt is for</h1><p>It tells crawlers which paths to leave alone. Nobody has to heed it. A path that must stay secret should not be in it, since anyone may read it.</p>',
    ),
  ),
  saved(
    'two-factor, a note',
    site(
      'Two-factor',
      '<h1>Two-factor for volunteers</h1><p>From May you need a second factor for the rota. Use the app on your phone or ask Bea for a key. Print the recovery codes.</p>',
    ),
  ),
  saved(
    'uptime of last year',
    site(
      'Uptime',
      '<h1>Uptime 2023</h1><table><tr><td>Web</td><td>99.97</td></tr><tr><td>Mail</td><td>99.91</td></tr></table><p>The longest outage, 94 minutes in August, came from a cut fibre in Leith.</p>',
    ),
  ),
  saved(
    'gone out of print',
    site(
      'Atlas',
      '<h1>Atlas of rainy places</h1><p>Second edition 2011, 204 maps, cloth. Out of print; three signed copies are left at the bindery, £90 each.</p>',
    ),
  ),
  saved(
    'answer about blocking ads',
    site(
      'Hosts file',
      '<h1>Blocking ads with a hosts file</h1><p>Write 0.0.0.0 in front of each name. A restart is not needed on Linux. The list of Ms Black has 130,000 names and is renewed weekly.</p>',
    ),
  ),
  saved(
    'letters on consent',
    site(
      'Letters',
      '<h1>Letters</h1><p>Your columnist asks whether patients read the forms. I have handed them out for thirty years: they read the first line and look at my shoes.</p>',
    ),
  ),
  saved(
    'old address of a club',
    site(
      'We are at number 7 now',
      '<h1>We are at number 7 now</h1><p>The chess club left the Red Lion and meets above the chemist. Bell on the left, second floor, Tuesdays from seven.</p>',
    ),
  ),
  saved(
    'gate of a park',
    site(
      'North gate',
      '<h1>North gate</h1><p>Built in 1887 by J. Loudon, cast iron, 4.2 m. Opened by hand at dawn, in winter by a motor. The griffins were stolen in 1974 and came back in a taxi.</p>',
    ),
  ),
  saved(
    'price list',
    site(
      'Prices',
      '<ul><li>Re-soling 38</li><li>Heels 14</li><li>Stretching 6</li><li>Laces, waxed 4</li></ul>',
    ),
  ),
  saved(
    'grid of cheeses',
    site(
      'Cheese',
      ['Wensleydale', 'Cantal', 'Manchego', 'Brunost', 'Feta']
        .map((name) => `<article><h3>${name}</h3><p>from £4</p></article>`)
        .join(''),
    ),
  ),
  saved(
    'search that finds',
    site(
      'Results',
      '<h1>2 results for “slate”</h1><ol><li><a href="#">Slate roof of the chapel</a>: relaid in 1931 with stone from Ffestiniog</li><li><a href="#">Slate pencils</a>: a drawer of them, school, about 1900</li></ol>',
    ),
  ),
  saved(
    'profile of a runner',
    site(
      'Ada Lunn',
      '<h1>Ada Lunn</h1><p>Club: Harriers. Best: 10 km 38:12, half marathon 1:24:40. Runs before work and hates treadmills.</p>',
    ),
  ),
  saved(
    'JSON of a queue',
    '{"queue":"print","waiting":3,"jobs":["a.pdf","b.pdf","c.pdf"]}',
    'application/json',
  ),
  saved('JSON with false', '{"open":false,"reason":"bank holiday"}', 'application/json'),
  saved(
    'plain verse',
    'The tide went out and took the chair,\nthe table and the lamp,\nand left a crab to mind the stair,\nwho found it rather damp.\n',
    'text/plain',
  ),
  saved(
    'XML of prices',
    '<prices><item name="leek">1.20</item><item name="kale">0.90</item></prices>',
    'text/xml',
  ),
]
