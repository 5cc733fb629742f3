// The fifth set held out, written before any verdict on it was seen, words learnt from it since. Walls after error templates and block
// pages of public repositories and after what their bug reports quote, in our own words; pages of the neighbouring kinds.
import { page, type Saved, script } from './sample.fixture.ts'

const saved = (name: string, html: string, contentType?: string): Saved => ({
  name,
  html,
  ...(contentType === undefined ? {} : { contentType }),
})

const boxed = (lang: string, title: string, body: string, head = '') =>
  `<!DOCTYPE html>\n<html lang="${lang}">\n<head>\n<meta charset="UTF-8"><meta name="viewport" content="width=device-width">\n<title>${title}</title>${head}\n</head>\n<body>\n<div class="wrap"><div class="inner">${body}</div></div>\n</body>\n</html>`

const withMenu = (lang: string, title: string, items: readonly string[], body: string) =>
  `<html lang="${lang}"><head><title>${title}</title></head><body><div id="masthead"><div class="logo"><a href="/">${items[0]}</a></div><ul>${items.map((item) => `<li><a href="#">${item}</a></li>`).join('')}</ul></div><div id="main">${body}</div><div id="colophon"><a href="#">${items.at(-1)}</a> 2024</div></body></html>`

export const fifthHeldWalls: readonly Saved[] = [
  saved(
    'scholarly search',
    boxed(
      'en',
      'Search',
      '<h1>Please show you’re not a robot</h1><form action="/sorry"><img src="/c"><input name="captcha"><button>Continue</button></form>',
    ),
  ),
  saved(
    'sneaker shop',
    boxed(
      'en',
      'Sneakers',
      '<p><img src="logo.png" alt="logo"></p><p>We need to know that there is someone behind the screen before the release page opens.</p><div class="rc"></div>',
      script('/jquery.js'),
    ),
  ),
  saved(
    'court opinions',
    boxed(
      'en',
      'Captcha',
      '<h2>Captcha validation</h2><p>Too many documents were viewed from here. Enter the text below to go back to the decisions.</p><input><button>Validate</button>',
    ),
  ),
  saved(
    'textbook viewer',
    boxed(
      'en',
      'Reader',
      '<p>We have noticed that pages are being turned very fast. Check the box so that we know you are reading.</p>',
    ),
  ),
  saved(
    'broadcaster, Polish',
    boxed(
      'pl',
      'VOD',
      '<p>Z powodów licencyjnych materiał nie może być pokazany w Twoim kraju.</p>',
    ),
  ),
  saved(
    'broadcaster, Japanese',
    boxed('ja', '動画', '<p>お住まいの地域では、この動画を視聴することができません。</p>'),
  ),
  saved(
    'broadcaster, Spanish',
    boxed(
      'es',
      'A la carta',
      '<p>Por motivos de derechos, este contenido solo puede verse en España.</p>',
    ),
  ),
  saved(
    '500, Indonesian',
    boxed(
      'id',
      '500 - Server Error',
      '<h1>500</h1><h2>Server Error</h2><p>Maaf, terjadi kesalahan pada server. Tim kami sedang bekerja untuk memperbaikinya.</p><a href="/">Kembali ke Halaman Utama</a>',
    ),
  ),
  saved(
    'a dizzy server, Indonesian',
    boxed(
      'id',
      'Waduh',
      '<h1>Server kami lagi sedikit pusing</h1><p>Tenang, tim kami sudah turun tangan. Coba lagi beberapa saat lagi.</p>',
    ),
  ),
  saved(
    '403 of a blog, French',
    boxed(
      'fr',
      'Accès interdit',
      '<h1>403</h1><p>Désolé, vous n’avez pas l’autorisation de voir cette page. Une authentification est peut-être requise.</p>',
    ),
  ),
  saved(
    '403 of an office, French',
    withMenu(
      'fr',
      'Erreur',
      ['Intranet', 'Annuaire', 'Aide'],
      '<h3>Vous n’avez pas les droits pour ouvrir cette rubrique.</h3><p>Si vous pensez qu’il s’agit d’une erreur, contactez le service informatique.</p>',
    ),
  ),
  saved(
    '404 of a CMS, Polish',
    boxed(
      'pl',
      '404',
      '<div id="error">404 - Strona nie została odnaleziona<br><small>Żądana strona nie istnieje bądź jest niedostępna</small></div><a href="#">Kliknij tutaj aby powrócić do ostatnio przeglądanej strony</a>',
    ),
  ),
  saved(
    '404 of a car dealer, Polish',
    boxed(
      'pl',
      'Błąd',
      '<h1>404</h1><h2>Strona nie istnieje!</h2><p>Błędna nazwa strony</p><a href="/">Strona główna</a>',
    ),
  ),
  saved(
    '404 of a bookshop, Polish',
    withMenu(
      'pl',
      'Nie znaleziono',
      ['Książki', 'Recenzje', 'Kontakt'],
      '<p>Wygląda na to, że strona, do której chcesz się dostać, nie istnieje lub została usunięta.</p>',
    ),
  ),
  saved(
    'offline, English',
    boxed(
      'en',
      'Offline',
      '<h1>You’re offline</h1><p>Check your internet connection and try again.</p><button>Retry</button>',
    ),
  ),
  saved(
    'offline, Spanish',
    boxed(
      'es',
      'Detalles',
      '<h1>Lo sentimos</h1><h3>Vuelve cuando tengas conexión a Internet</h3>',
    ),
  ),
  saved(
    'browser of yesterday',
    boxed(
      'en',
      'Browser not supported',
      '<h1>Not supported</h1><p>We are terribly sorry, but your web browser is not supported.</p><p>Please use a recent version of Firefox, Chrome or Safari.</p>',
    ),
  ),
  saved(
    'browser without features',
    boxed(
      'en',
      'Course',
      '<h1>Your web browser is not supported.</h1><p>It cannot deliver the core features of this application.</p><p>Recommended: the latest stable version of any modern browser.</p>',
    ),
  ),
  saved(
    'browser of yesterday, German',
    boxed(
      'de',
      'Hinweis',
      '<p>Der Internet Explorer wird von dieser Anwendung nicht mehr unterstützt. Verwenden Sie bitte Edge, Firefox oder Chrome.</p>',
    ),
  ),
  saved(
    'hosting panel, Turkish',
    boxed(
      'tr',
      'Hoş geldiniz',
      '<h1>Bu alan adı başarıyla kaydedildi</h1><p>Web sitesi henüz yayında değil. Sitenin sahibi sizseniz dosyalarınızı yükleyebilirsiniz.</p>',
    ),
  ),
  saved(
    'hosting panel, Czech',
    boxed(
      'cs',
      'Prázdný web',
      '<h1>Tady zatím nic není</h1><p>Doména je registrovaná a web na ní teprve vznikne.</p>',
    ),
  ),
  saved(
    'hosting panel, English',
    boxed(
      'en',
      'Default page',
      '<h2>Success! Your new web server is ready to use.</h2><p>Replace this file with your own content to begin.</p>',
    ),
  ),
  saved(
    'shop behind a password',
    boxed(
      'en',
      'Atelier',
      '<h1>This shop is private</h1><p>Enter the store password to have a look around.</p><form><input type="password"><button>Enter</button></form>',
    ),
  ),
  saved(
    'school portal, Italian',
    boxed(
      'it',
      'Registro',
      '<h1>Registro elettronico</h1><label>Codice utente</label><input><label>Password</label><input type="password"><button>Entra</button><a href="#">Recupera password</a>',
    ),
  ),
  saved(
    'forum rule, German',
    withMenu(
      'de',
      'Hinweis',
      ['Forum', 'Mitglieder', 'Suche', 'Impressum'],
      '<div class="panel">Der Zutritt zu dieser Seite ist Ihnen leider verwehrt. Sie sind nicht angemeldet oder Ihre Rechte reichen nicht aus.</div>',
    ),
  ),
  saved(
    'photo album, English',
    boxed(
      'en',
      'Album',
      '<h2>This album isn’t shared with you</h2><p>Ask the person who sent you the link to give you access, or switch accounts.</p>',
    ),
  ),
  saved(
    'paper, Danish',
    boxed(
      'da',
      'Broen',
      '<h1>Broen blev dyrere</h1><p>Regningen er vokset igen.</p><div>Vil du læse hele artiklen? Bliv abonnent fra 1 kr. Er du allerede kunde? Log ind</div>',
    ),
  ),
  saved(
    'paper, Ukrainian',
    boxed(
      'uk',
      'Порт',
      '<h1>Порт чекає</h1><p>Кораблі стоять третій тиждень.</p><div>Повний текст доступний передплатникам. Оформити передплату</div>',
    ),
  ),
  saved(
    'paper, English',
    boxed(
      'en',
      'Kelp',
      '<h1>The kelp divers</h1><p>They go down at slack water.</p><div>Want to finish this story? Support us from £3 a month to get every long read. Already with us? Log in.</div>',
    ),
  ),
  saved(
    'consent, Swedish',
    boxed(
      'sv',
      'Välkommen',
      '<p>Vi och våra 140 partner lagrar information på din enhet för annonser och mätning. Du väljer själv.</p><button>Godkänn</button><button>Neka</button><button>Inställningar</button>',
    ),
  ),
  saved(
    'consent, Portuguese',
    boxed(
      'pt',
      'Privacidade',
      '<p>Nós e os nossos parceiros usamos cookies para medir audiências e mostrar publicidade. Pode mudar de ideias mais tarde.</p><button>Aceitar tudo</button><button>Rejeitar</button>',
    ),
  ),
  saved(
    'casino',
    boxed(
      'en',
      'Casino',
      '<h1>We are not licensed where you are</h1><p>Players from your location cannot open an account. If you are travelling, come back when you are home.</p>',
    ),
  ),
  saved(
    'firewall of a library, English',
    boxed(
      'en',
      'Notice',
      '<h1>Your address range has been disabled</h1><p>We saw systematic downloading from it, which the licence does not allow. Librarians may write to us to have it restored.</p>',
    ),
  ),
  saved('gateway without words', boxed('en', '', '<pre>Forbidden\nrule 941100\nuid 7f2c</pre>')),
  saved(
    'listing gone, Portuguese',
    withMenu(
      'pt',
      'Anúncio',
      ['Carros', 'Casas', 'Ajuda'],
      '<h1>Este anúncio já não existe</h1><p>Pode ter sido vendido. Veja outros parecidos.</p>',
    ),
  ),
  saved(
    'listing gone, Swedish',
    withMenu(
      'sv',
      'Bostad',
      ['Köpa', 'Hyra', 'Om oss'],
      '<h1>Bostaden är borttagen</h1><p>Den är såld, eller så har mäklaren tagit ner annonsen.</p>',
    ),
  ),
  saved(
    'event over',
    withMenu(
      'en',
      'Event',
      ['Discover', 'Host', 'Help'],
      '<h1>This event has passed</h1><p>Registration is closed and its page is gone.</p>',
    ),
  ),
  saved(
    'podcast taken off',
    withMenu(
      'en',
      'Episode',
      ['Shows', 'Charts', 'About'],
      '<p>We can’t play this episode. Its publisher took it off the platform.</p>',
    ),
  ),
  saved(
    'spinner with a joke',
    boxed(
      'en',
      'Loading',
      '<div class="spinner"></div><p>Reticulating splines…</p>',
      script('/app.js'),
    ),
  ),
  saved(
    'app shell of a bank',
    `<!doctype html><html lang="en"><head><title>Online banking</title><link rel="stylesheet" href="/a.css"></head><body><bank-shell></bank-shell><noscript>Online banking works only with JavaScript.</noscript>${script('/main.js')}${script('/poly.js')}</body></html>`,
  ),
]

export const fifthHeldPages: readonly Saved[] = [
  saved(
    'guide to offline pages',
    page(
      'Offline fallback pages',
      '<article><h1>Offline fallback pages</h1><p>What do a chat and a phone’s assistant have in common? Without a network they still show something. Put one HTML file into the cache when the worker installs, and answer with it when fetching fails.</p></article>',
    ),
  ),
  saved(
    'guide to error pages, French',
    page(
      'Pages d’erreur',
      '<h1>Pages d’erreur</h1><p>Créez le dossier Exception et posez-y un modèle par code. Vous pouvez surcharger le titre, le contenu et le pied de page. En développement, l’adresse /_error/403 les montre.</p>',
      '',
      'fr',
    ),
  ),
  saved(
    'wiki on a spaceport',
    page(
      'Kourou',
      '<h1>Kourou</h1><p>Town on the coast of French Guiana, 26,000 inhabitants, known for the launch site nearby. Access to the beach is closed on launch days.</p>',
    ),
  ),
  saved(
    'supported browsers',
    page(
      'Supported browsers',
      '<h1>Supported browsers</h1><table><tr><td>Firefox</td><td>from 115</td></tr><tr><td>Chrome</td><td>from 109</td></tr><tr><td>Safari</td><td>from 15.4</td></tr></table><p>Maps need WebGL.</p>',
    ),
  ),
  saved(
    'review of a blocker',
    page(
      'Ad blockers',
      '<article><h1>Three ad blockers on an old phone</h1><p>The first one doubled the battery life and broke two shops. The second let the video ads of one broadcaster through. The third asked for a subscription after a week.</p></article>',
    ),
  ),
  saved(
    'story of a ban',
    page(
      'Banned from the club',
      '<article><h1>How I was banned from the chess club</h1><p>It began with a sandwich. Rule nine says that nobody eats at the board, and Mr Oduya, who wrote rule nine, was hungry. I offered him half.</p></article>',
    ),
  ),
  saved(
    'rate limiter in code',
    page(
      'Token bucket',
      '<h1>Token bucket</h1><p>A bucket holds ten tokens and gets one more each second. A call takes one; if there is none it waits.</p><pre><code>if (tokens &lt; 1) await refill()</code></pre>',
    ),
  ),
  saved(
    'legal: geo-blocking in the EU',
    page(
      'Geo-blocking',
      '<h1>Geo-blocking</h1><p>Since December 2018 shops in the Union may not turn customers away because of where they live. They need not deliver everywhere. Films and broadcasts are exempt.</p>',
    ),
  ),
  saved(
    'password tips',
    page(
      'Passphrases',
      '<h1>Passphrases</h1><p>Four words that do not belong together beat a short word with a digit in it. Write them on paper and keep the paper where you keep your passport.</p>',
    ),
  ),
  saved(
    'museum of locks',
    page(
      'Lock museum',
      '<h1>Museum of locks</h1><p>Three hundred padlocks from Wednesfield, the oldest of 1690. Visitors may try to open six of them. Saturdays, two to five.</p>',
    ),
  ),
  saved(
    'play called The Queue',
    page(
      'The Queue',
      '<h1>The Queue</h1><p>A comedy in one act. Eleven people wait for something; nobody knows what. With live accordion. Until 4 May, 70 minutes, no interval.</p>',
    ),
  ),
  saved(
    'cookie recipe, with consent in the name',
    page(
      'Consent cookies',
      '<h1>Ask-first cookies</h1><p>120 g butter, 90 g sugar, one egg, 200 g flour, chocolate. Ask before you add raisins. 180 degrees for eleven minutes.</p>',
    ),
  ),
  saved(
    'domain of a mathematician',
    page(
      'Domain and range',
      '<h1>Domain and range</h1><p>The domain of a function is where it may be asked, the range what it answers. The square root of x has the domain x ≥ 0.</p>',
    ),
  ),
  saved(
    'hosting a foreign student',
    page(
      'Host families',
      '<h1>Host families wanted</h1><p>Forty pupils from Lyon come in April and need a bed for six nights. You get 25 euros a day. Please say whether you have a cat.</p>',
    ),
  ),
  saved(
    'maintenance of a scythe',
    page(
      'Scythe',
      '<h1>Care of a scythe</h1><p>Hone every five minutes, peen every four hours. Oil the blade for the winter and hang it high.</p>',
    ),
  ),
  saved(
    'error in a census',
    page(
      'Correction',
      '<h1>Correction</h1><p>In our table of 3 May two rows were swapped. Unemployment in Nord was 6.1, in Sud 9.4 per cent. We thank a reader in Arles.</p>',
    ),
  ),
  saved(
    'status of a ferry',
    page(
      'Ferries today',
      '<table><tr><td>Oban–Craignure</td><td>on time</td></tr><tr><td>Mallaig–Armadale</td><td>cancelled, swell</td></tr><tr><td>Uig–Tarbert</td><td>40 min late</td></tr></table>',
    ),
  ),
  saved(
    'how to file a complaint',
    page(
      'Complaints',
      '<h1>Complaints</h1><p>Write down what happened, when and who was there. Send it to the ombudsman within three months. You will hear from her in ten days, also if she cannot take the case.</p>',
    ),
  ),
  saved(
    'vocabulary: denied',
    page(
      'deny',
      '<h1>deny</h1><p><i>verb</i> 1 to say that something is not true. 2 to refuse to give. <i>He was denied bail.</i> From Latin denegare.</p>',
    ),
  ),
  saved(
    'tram stop moved, Czech',
    page(
      'Přesun zastávky',
      '<h1>Přesun zastávky Lípa</h1><p>Od pondělí do odvolání zastavují tramvaje 4 a 12 o osmdesát metrů dál, před poštou. Důvodem je oprava koleje.</p>',
      '',
      'cs',
    ),
  ),
  saved(
    'harvest festival, Hungarian',
    page(
      'Szüret',
      '<h1>Szüreti felvonulás</h1><p>Szombaton délután háromkor indulunk a templomtól. Lovas kocsik, zene, must mindenkinek. Este bál a művelődési házban.</p>',
      '',
      'hu',
    ),
  ),
  saved(
    'lighthouse, Greek',
    page(
      'Φάρος',
      '<h1>Ο φάρος στο Ταίναρο</h1><p>Χτίστηκε το 1882 από Γάλλους. Ο δρόμος τελειώνει στο εκκλησάκι, από εκεί θέλει σαράντα λεπτά με τα πόδια.</p>',
      '',
      'el',
    ),
  ),
  saved(
    'carpet, Persian',
    page(
      'قالی',
      '<h1>قالی نایین</h1><p>پشم و ابریشم، دو متر در سه متر، بافت سال هزار و سیصد و پنجاه. زمینه کرم با گل‌های آبی.</p>',
      '',
      'fa',
    ),
  ),
  saved(
    'library card, Romanian',
    page(
      'Permis',
      '<h1>Permisul de bibliotecă</h1><p>Se face pe loc, cu buletinul, și costă cinci lei. Copiii sub paisprezece ani vin cu un părinte.</p>',
      '',
      'ro',
    ),
  ),
  saved(
    'snow, Norwegian',
    page(
      'Brøyting',
      '<h1>Brøyting i helga</h1><p>Vi brøyter hovedveiene først. Flytt bilen fra Strandgata før klokka seks lørdag morgen.</p>',
      '',
      'no',
    ),
  ),
  saved(
    'garden, Vietnamese',
    page(
      'Vườn rau',
      '<h1>Vườn rau sau trường</h1><p>Mỗi lớp chăm một luống. Tuần này lớp bốn trồng cà chua, lớp năm làm giàn cho bầu.</p>',
      '',
      'vi',
    ),
  ),
  saved(
    'pottery, Thai',
    page(
      'เครื่องปั้น',
      '<h1>บ้านเครื่องปั้นดินเผา</h1><p>เปิดสอนปั้นหม้อทุกวันเสาร์ บ่ายโมงถึงสี่โมง ค่าดินสองร้อยบาท เผาเสร็จแล้วส่งถึงบ้าน</p>',
      '',
      'th',
    ),
  ),
  saved(
    'ox, Hindi',
    page(
      'मंडी',
      '<h1>आज की मंडी</h1><p>गेहूँ बाईस सौ, चना पाँच हज़ार, सरसों चौवन सौ रुपये प्रति क्विंटल। आवक कल से कम रही।</p>',
      '',
      'hi',
    ),
  ),
  saved(
    'tea, Chinese',
    page(
      '新茶',
      '<h1>明前龙井到店</h1><p>今年雨水多，采摘晚了五天，香气偏兰花。每人限购两罐，可先试饮。</p>',
      '',
      'zh-CN',
    ),
  ),
  saved(
    'kimchi, Korean',
    page(
      '김장',
      '<h1>김장 나눔</h1><p>토요일 아침 아홉 시에 마을회관에서 배추 이백 포기를 담급니다. 고무장갑과 통을 가져오세요.</p>',
      '',
      'ko',
    ),
  ),
  saved(
    'grid of lamps',
    withMenu(
      'it',
      'Lampade',
      ['Lampade', 'Sedie', 'Contatti'],
      ['Arco', 'Luna', 'Stelo', 'Nido', 'Faro']
        .map((name) => `<div><img src="l.jpg" alt=""><p>${name}</p><p>89 €</p></div>`)
        .join(''),
    ),
  ),
  saved(
    'sold paintings',
    withMenu(
      'en',
      'Sold works',
      ['Works', 'Sold', 'Studio'],
      '<ul><li>Harbour, fog, 2019, private collection</li><li>Two chairs, 2020, town hall</li><li>Untitled (blue), 2021, private collection</li></ul>',
    ),
  ),
  saved(
    'vacancies, none now, but how',
    withMenu(
      'en',
      'Jobs',
      ['Bakery', 'Jobs', 'Shop'],
      '<h1>Jobs</h1><p>There is nothing open in the bakery at present. In the shop we always need people on Saturdays; come by on a weekday after two and ask for Lena. Apprentices start in August.</p>',
    ),
  ),
  saved(
    'season is over',
    withMenu(
      'sv',
      'Badet',
      ['Badet', 'Priser', 'Hitta hit'],
      '<h1>Tack för i sommar</h1><p>Badet öppnar igen i juni. Under vintern hyr vi ut bastun, ring Karin. Vattnet höll 19 grader i snitt.</p>',
    ),
  ),
  saved(
    'two questions of a quiz',
    withMenu(
      'en',
      'Quiz',
      ['Quiz', 'Results'],
      '<ol><li>Which river runs through Ghent?</li><li>What did Alfred Nobel’s father build for the Tsar?</li></ol><p>Answers on Friday.</p>',
    ),
  ),
  saved(
    'comment page',
    withMenu(
      'en',
      'On “Kelp”',
      ['Journal', 'Letters'],
      '<p>Sir, your writer says that kelp has roots. It has holdfasts, which feed on nothing. I dive for it and should know. J. Moy, Stromness</p>',
    ),
  ),
  saved(
    'JSON of hours',
    '{"monday":null,"tuesday":["09:00","12:00"],"note":"closed on holidays"}',
    'application/json',
  ),
  saved(
    'CSV of a lake',
    'date,temp\n2024-06-01,14.2\n2024-06-02,14.9\n2024-06-03,15.3\n',
    'text/plain',
  ),
  saved(
    'humans.txt',
    'Team: Ada, Bo\nThanks: the night shift\nBuilt with: patience\n',
    'text/plain',
  ),
  saved(
    'tiny XML',
    '<?xml version="1.0"?><menu><soup price="4">leek</soup><pie price="7">fish</pie></menu>',
    'application/xml',
  ),
]
