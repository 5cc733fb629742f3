// The fourth set held out, written before any verdict on it was seen, rules made for it since: walls after block pages,
// error templates and gates that strangers keep in public repositories, pages after what their neighbours there publish.
import { page, type Saved, script } from './sample.fixture.ts'

const saved = (name: string, html: string, contentType?: string): Saved => ({
  name,
  html,
  ...(contentType === undefined ? {} : { contentType }),
})

const centred = (lang: string, title: string, body: string) =>
  `<!doctype html>\n<html lang="${lang}">\n<head>\n<meta charset="UTF-8">\n<title>${title}</title>\n<style>body{display:flex;justify-content:center;align-items:center;height:100vh}</style>\n</head>\n<body>\n<div class="container">${body}</div>\n</body>\n</html>`

const themed = (lang: string, title: string, links: readonly string[], body: string) =>
  `<html lang="${lang}"><head><title>${title}</title><link rel="stylesheet" href="bootstrap.css"></head><body class="theme"><div class="navbar">${links.map((link) => `<span class="nav-item"><a class="nav-link" href="#">${link}</a></span>`).join('')}</div><div class="content-wrapper">${body}</div></body></html>`

export const fourthHeldWalls: readonly Saved[] = [
  saved(
    'an account kept out',
    centred(
      'en',
      'Blocked',
      '<h2>Sorry! You cannot get into this site!</h2><p>It seems that the administrator has blocked your account.<br><b>What should I do?</b><br>Kindly write to us to appeal: help@lingo.example</p>',
    ),
  ),
  saved(
    'a lock with a deadline',
    centred(
      'en',
      'No access to the site',
      '<div class="post-title">The site is locked for you</div><div>For administrative reasons you may not see the site for some time. These reasons were given: flooding. The lock ends on 14 June. It was issued by moderator Kes. You do not have to do anything to speed it up.</div>',
    ),
  ),
  saved(
    'one line about an IP',
    centred(
      'en',
      'Blocked IP',
      '<div class="blocked-box"><h1>Your IP is blocked on this site</h1></div>',
    ),
  ),
  saved(
    'sketchy',
    centred(
      'en',
      'Ban',
      '<h1>🚫 You are banned!</h1><p>We think that you are up to sketchy things. Contact us if you need help.</p>',
    ),
  ),
  saved(
    'restaurant of volunteers, DDoS',
    page(
      'Under attack',
      '<h3>Our little server is being hammered right now</h3><p>Until that is over every visitor has to pass a short test.</p><button onclick="go()">I’m fine, let me in</button>',
      script('/pass.js'),
    ),
  ),
  saved(
    'illegal parameters',
    centred(
      'zh',
      '非法请求',
      '<h1>非法请求</h1><p>您的请求携带恶意参数，已被拦截</p><p>您的IP地址：203.0.113.9</p><p>拦截时间：10:00</p><p>如果您认为这是误判，请联系网站管理员</p>',
    ),
  ),
  saved(
    'illegal parameters, Norwegian',
    centred(
      'no',
      'Ulovlig forespørsel',
      '<h1>Ulovlig forespørsel</h1><p>Forespørselen inneholder skadelige parametere og ble stanset.</p><p>Din IP-adresse: 203.0.113.9</p><p>Mener du at dette er feil, kontakt administratoren av nettstedet.</p>',
    ),
  ),
  saved(
    'region, Vietnamese',
    centred(
      'vi',
      'Hạn chế khu vực',
      '<h1>Khu vực của bạn không được hỗ trợ</h1><p>Trang web này không cho phép truy cập từ quốc gia của bạn theo quy định.</p>',
    ),
  ),
  saved(
    'region, law named, Russian',
    centred(
      'ru',
      'Ограничение',
      '<h1>Пользователям из вашей страны сайт не показывается</h1><p>Мы определили, что ваш адрес относится к ней, и на основании закона закрыли содержимое. Если вы находитесь в другом месте, обратитесь к своему провайдеру.</p>',
    ),
  ),
  saved(
    'click interaction',
    centred(
      'en',
      'Click challenge',
      '<h1>Complete the following challenge to continue</h1><form><button>I am not a bot</button></form><p>Why do I see this?</p><p>Current firewall rules ask for it before the site can be opened.</p><p>Event 2da61e70 • 203.0.113.9</p>',
    ),
  ),
  saved(
    'image puzzle, Dutch',
    centred(
      'nl',
      'Eén ogenblik',
      '<p>Kies alle plaatjes met een fiets om te laten zien dat u geen computer bent.</p><button>Klaar</button>',
    ),
  ),
  saved(
    'arithmetic, Spanish',
    centred(
      'es',
      'Comprobación',
      '<p>Resuelva esta suma para demostrar que es una persona: 3 + 8</p><form><input name="r"><button>Enviar</button></form>',
    ),
  ),
  saved(
    'API quota as a page',
    centred(
      'en',
      '429',
      '<h2>Easy there</h2><p>You’re making calls quicker than we can answer them. Pause for sixty seconds.</p>',
    ),
  ),
  saved(
    'virtual waiting room',
    centred(
      'en',
      'Virtual Waiting Room',
      '<h1>You are now in the virtual waiting room</h1><p>Thanks for your interest. Because of high demand we let people in a few at a time. Keep this tab open.</p><p>Your number: 1733</p><p>Now serving: 1204</p>',
    ),
  ),
  saved(
    'place reserved',
    centred(
      'en',
      'Waiting list',
      '<h5>Welcome! Your place is reserved</h5><p>You are in the queue</p><h2>214</h2><p>We will send a message as soon as you can order.</p>',
    ),
  ),
  saved(
    'works, school',
    centred(
      'es',
      'Mantenimiento',
      '<h1>🚧 Estamos en obras 🚧</h1><p>Disculpa las molestias, hacemos mejoras importantes. Nos vemos muy pronto.</p>',
    ),
  ),
  saved(
    'works, padel court',
    centred(
      'es',
      'Aviso',
      '<div class="title">Sistema fuera de línea</div><div>Realizamos tareas programadas. Prueba otra vez dentro de unos minutos.</div>',
    ),
  ),
  saved(
    'works, file share',
    centred(
      'en',
      'Down for a bit',
      '<h1>Be right with you</h1><p>A few screws are being tightened. Everything will be where you left it.</p>',
    ),
  ),
  saved(
    'works, German club',
    centred(
      'de',
      'Umbau',
      '<h1>Unsere Seite zieht um</h1><p>Ab Montag sind wir mit neuem Gesicht wieder für euch da.</p>',
    ),
  ),
  saved(
    'misplaced',
    themed(
      'en',
      '404',
      ['Home', 'Projects', 'Talks'],
      '<h1>404: There’s no page here!</h1><p class="lead">Sorry, we’ve misplaced that URL or it points to something that does not exist. Best head back home and try again.</p>',
    ),
  ),
  saved(
    'four-oh-four',
    centred(
      'en',
      'Four-oh-four',
      '<h1>Four-oh-four</h1><p>What you were looking for isn’t here. The address may have a typo in it, or the thing has been moved.</p>',
    ),
  ),
  saved(
    'with common resources',
    themed(
      'en',
      'Page not found',
      ['Install', 'Guide', 'API'],
      '<h1>😞 Page not found</h1><p>We couldn’t find the page you were looking for.</p><h2>Common resources</h2><ul><li><a href="#">Installation</a></li><li><a href="#">Usage</a></li><li><a href="#">Reference</a></li></ul><p>If you believe that it should exist, open an issue.</p>',
    ),
  ),
  saved(
    'not good at this, Chinese',
    centred(
      'zh',
      '404页面',
      '<p>404</p><p>不好意思，您访问的页面不存在~</p><p>您可以： 返回上一页 | 去首页</p>',
    ),
  ),
  saved(
    'offline, Chinese',
    centred(
      'zh',
      'HTTP 404',
      '<div>404 Error</div><span>抱歉，找不到页面了。</span><span>您访问的页面不存在或者已经下线。</span><button>返回首页</button>',
    ),
  ),
  saved(
    'code of an agency, Japanese',
    centred(
      'ja',
      '404',
      '<h1>404</h1><p>指定された代理店コードは登録されていません。正しいコードをご確認ください。</p><a href="/">トップへ</a>',
    ),
  ),
  saved(
    'Japanese, with causes',
    centred(
      'ja',
      '404 Error',
      '<p>アクセスしようとしたページが見つかりませんでした。</p><p>以下のような原因が考えられます：</p><ul><li>ページが存在しない。</li><li>URLアドレスが間違っている。</li></ul>',
    ),
  ),
  saved(
    'find it through the menu, German',
    themed(
      'de',
      'Fehler',
      ['Start', 'Team', 'Kontakt'],
      '<p>Gehen Sie zur Hauptseite zurück und versuchen Sie, das Gewünschte über das Menü zu finden.</p><p>Wenn Sie sicher sind, dass es die Seite geben sollte, melden Sie es uns.</p>',
    ),
  ),
  saved(
    'find it through the menu, Russian',
    themed(
      'ru',
      'Ошибка',
      ['Начало', 'О нас'],
      '<h1>Упс... такой страницы не существует</h1><p>Попробуйте найти нужное через меню.</p>',
    ),
  ),
  saved(
    'a map of emotes, German',
    centred(
      'de',
      '404',
      '<h1>404</h1><p>Die angeforderte Seite konnte nicht gefunden werden.</p><a href="/">Zurück zur Startseite</a>',
    ),
  ),
  saved(
    'suspended, with advice',
    centred(
      'en',
      'Insurance for trucks',
      '<h2>Your Website has been temporarily suspended!</h2><p>The web hosting account associated with this website has been <b>suspended.</b><br>If you are its owner, please contact the administrator.<br>If you are a visitor, please come back soon, thanks!</p>',
    ),
  ),
  saved(
    'needs its owner',
    centred(
      'en',
      'Holding page',
      '<h1>Your domain is registered, your site is built and ready. Now, let’s turn it back on!</h1><p>It was disabled because we need you, the owner, to take ownership. Call us today to get started.</p>',
    ),
  ),
  saved(
    'en route',
    centred(
      'en',
      'Coming Soon',
      '<h1>Coming Soon</h1><p>This domain is in use and the content is <em>en route</em>.</p>',
    ),
  ),
  saved(
    'not quite ready',
    centred(
      'en',
      'maplecroft.example',
      '<h1>maplecroft.example</h1><p>New domain has been set up but it’s not quite ready yet. Please come back soon! :)</p>',
    ),
  ),
  saved(
    'twenty-one',
    centred(
      'en',
      'Age Verification',
      '<h2>ARE YOU 21 YEARS OR ABOVE?</h2><button>Yes</button><button>No</button><p>By entering you agree to the <a href="#">Terms</a> and <a href="#">Privacy Policy</a>.</p>',
    ),
  ),
  saved(
    'date of birth, French',
    centred(
      'fr',
      'Vérification',
      '<h1>Tu es sur un site qui vend des boissons alcoolisées, merci de confirmer ta date de naissance avant de continuer :</h1><form><input type="date"><input type="submit" value="Confirmer"></form>',
    ),
  ),
  saved(
    'member portal',
    page(
      'Member Portal',
      '<div class="panel"><div>Member Login</div><form><label>Email address</label><input type="email"><label>Password</label><input type="password"><button>Submit</button></form></div>',
    ),
  ),
  saved(
    'welcome back',
    page(
      'Portal',
      '<h2>Welcome Back</h2><h3>Log into your Account</h3><form><input placeholder="Account"><input type="password"><input type="submit" value="LOGIN"></form>',
    ),
  ),
  saved(
    'needed to go on, Taiwanese',
    centred(
      'zh-TW',
      '前往登入',
      '<h1>需要登入才能繼續</h1><p>您好！為了讓您看到特定內容，請登入您的帳戶。</p><p>如果頁面沒有自動跳轉，請點擊下方的按鈕</p>',
    ),
  ),
  saved(
    'article for those who pay',
    page(
      'Harvest',
      '<h1>Harvest</h1><p>The first lorries came at dawn.</p><div class="notallowed"><p>This article is available only to subscribers. Our publication lives on paid subscriptions. If you like it, please consider one.</p></div>',
    ),
  ),
  saved(
    'captive network',
    centred('en', 'Network Authentication Required', '<p>You need to authenticate to get in.</p>'),
  ),
]

export const fourthHeldPages: readonly Saved[] = [
  saved(
    'how to make a drinking age gate',
    page(
      'Drinking age gateway',
      '<article><h1>Drinking age gateway with JavaScript</h1><p>Last week a tequila brand asked me for one. The simplest asks for yes or no, stricter ones for a birthday. I keep the answer in local storage, so that search engines still see the page behind it.</p></article>',
    ),
  ),
  saved(
    'notes on server errors, German',
    page(
      'Fehlermeldungen',
      '<h1>Fehlermeldungen von Servern</h1><h2>404</h2><ul><li>Meist wurden Inhalte auf eine andere Adresse verlegt, ohne dass die internen Links angepasst wurden</li><li>Oder der Webserver ist nicht in Betrieb</li></ul>',
      '',
      'de',
    ),
  ),
  saved(
    'why hosters suspend',
    page(
      'My site is suspended',
      '<h1>My site is suspended</h1><p>There are two causes. Look at the monitor tab: one resource may be over its limit. Or the credit card on file has run out. Once it is paid, the site is back within ten minutes. We cannot grant extensions.</p>',
    ),
  ),
  saved(
    'procedure for suspending',
    page(
      'Suspend and un-suspend',
      '<p>The billing system tries the card every other day. After the third time a shared account is suspended by itself; dedicated servers wait for one of us. Leave a note for the next shift, whatever you do.</p>',
    ),
  ),
  saved(
    'queue display',
    page(
      'Live queue',
      '<h1>Live queue</h1><h2>Now serving</h2><p>A 112 at counter 3</p><h2>Next</h2><ul><li>A 113</li><li>B 047</li><li>A 114</li></ul>',
    ),
  ),
  saved(
    'a product called waiting room',
    page(
      'WaitQ',
      '<h1>Guests wait where they like</h1><p>They scan a code at the door and stroll off. A text calls them back when the table is laid. Restaurants in Porto turn a third more tables since.</p>',
    ),
  ),
  saved(
    'custom block pages in a manual',
    page(
      'Custom block page',
      '<main><h1>Custom block page</h1><p>The gateway can show your own page when it stops a request. Upload one HTML file of up to 1 MB, styles inside. The variables are <code>%incident%</code> and <code>%client%</code>.</p></main>',
    ),
  ),
  saved(
    'proof of work for kids',
    page(
      'Proof of work',
      '<h1>Proof of work, explained with dice</h1><p>Throw three dice until the sum is four. That takes a while. Showing somebody that the sum is four takes no time at all. Computers do the same with hashes.</p>',
    ),
  ),
  saved(
    'readme of a captcha fix',
    page(
      'False captcha alarms',
      '<h1>False captcha alarms</h1><p>The scraper stopped although nothing was in its way. It looked for the word captcha anywhere in the HTML, and the shop’s sign-up widget has it in its name. Now it looks at the title only.</p>',
    ),
  ),
  saved(
    'game about robots',
    page(
      'Robot Rally night',
      '<h1>Robot Rally night</h1><p>Thursday at seven in the back room. Bring a friend, we have two boxes. Beginners start on the small board.</p>',
    ),
  ),
  saved(
    'a moth',
    page(
      'Garden tiger',
      '<h1>Garden tiger</h1><p>Arctia caja. On the wing in July and August. The caterpillars, known as woolly bears, eat dock and nettle. Fewer every year in the south.</p>',
    ),
  ),
  saved(
    'minutes of a meeting',
    page(
      'Minutes',
      '<h1>Minutes, 4 March</h1><ol><li>Gate: Harold mends the hinge.</li><li>Plot 9 has been vacant since autumn and goes to the next on the list.</li><li>No bonfires before six.</li></ol>',
    ),
  ),
  saved(
    'tide of errors in a log book',
    page(
      'Log',
      '<h1>Log of the Solveig</h1><p>03:10 bilge alarm, false. 04:00 wind 6, reefed. 06:30 autopilot failed, steering by hand. 09:15 moored in Mandal.</p>',
    ),
  ),
  saved(
    'knitting',
    page(
      'Row 12',
      '<p>Row 12: k2, p2, *yo, ssk, k1* to last 4 sts, p2, k2. Repeat rows 9 to 12 until the piece measures 20 cm.</p>',
    ),
  ),
  saved(
    'bread from yesterday',
    page(
      'Panzanella',
      '<h1>Panzanella</h1><p>Bagnate il pane raffermo, strizzatelo bene, unite pomodori, cipolla e basilico. Olio buono e aceto. In frigo per un’ora.</p>',
      '',
      'it',
    ),
  ),
  saved(
    'train is late, Swiss',
    page(
      'Bahnverkehr',
      '<h1>Bahnverkehr Brugg–Aarau</h1><p>Der Bahnverkehr ist unterbrochen. Grund ist ein umgestürzter Baum. Ersatzbusse fahren ab dem Bahnhofplatz. Dauer bis etwa 16 Uhr.</p>',
      '',
      'de',
    ),
  ),
  saved(
    'cancelled class',
    page(
      'Yoga',
      '<h1>No yoga on Tuesday</h1><p>Ines has lost her voice. Cards stay valid, and on the 21st there are two classes, at 17:30 and 19:00.</p>',
    ),
  ),
  saved(
    'vaccination, Portuguese',
    page(
      'Vacinação',
      '<h1>Vacinação contra a gripe</h1><p>A partir de segunda, no posto da praça, das oito ao meio-dia. Levar a caderneta. Idosos têm preferência.</p>',
      '',
      'pt',
    ),
  ),
  saved(
    'fishing permit, Finnish',
    page(
      'Kalastusluvat',
      '<h1>Kalastusluvat</h1><p>Luvan saa kylän kaupasta tai rannan automaatista. Vuorokausi maksaa kahdeksan euroa, lapset ilmaiseksi. Verkot vain pohjoispäässä.</p>',
      '',
      'fi',
    ),
  ),
  saved(
    'apartment rules, Korean',
    page(
      '안내',
      '<h1>분리수거 안내</h1><p>종이와 플라스틱은 수요일 저녁 여섯 시부터 내놓으세요. 음식물은 초록색 통에 넣어 주세요.</p>',
      '',
      'ko',
    ),
  ),
  saved(
    'shrine festival, Japanese',
    page(
      '例大祭',
      '<h1>例大祭のご案内</h1><p>十月十日、午後一時より神輿が町内を巡ります。雨の場合は社務所にて子ども相撲のみ行います。</p>',
      '',
      'ja',
    ),
  ),
  saved(
    'night market, Taiwanese',
    page(
      '夜市',
      '<h1>河濱夜市</h1><p>每週五、六晚上六點到十一點，攤位約兩百個。停車請利用五號水門，雨天照常營業。</p>',
      '',
      'zh-TW',
    ),
  ),
  saved(
    'wedding, Turkish',
    page(
      'Düğün',
      '<h1>Elif ile Can evleniyor</h1><p>Cumartesi akşamı yedide, belediye bahçesinde. Çiçek yerine fidan bağışı rica olunur.</p>',
      '',
      'tr',
    ),
  ),
  saved(
    'harvest, Ukrainian',
    page(
      'Врожай',
      '<h1>Яблука вже в погребі</h1><p>Цього року врожай пізній, але солодкий. Продаємо щосуботи біля млина, від п’яти кілограмів дешевше.</p>',
      '',
      'uk',
    ),
  ),
  saved(
    'camel market, Arabic',
    page(
      'سوق',
      '<h1>سوق الإبل</h1><p>يقام السوق يوم الخميس بعد صلاة العصر عند البئر القديمة، ويحضر التجار من القرى المجاورة.</p>',
      '',
      'ar',
    ),
  ),
  saved(
    'poem, Persian',
    page(
      'شعر',
      '<p>باران که ببارد همه عاشق می‌شوند،<br>حتی سنگ‌های کنار رود،<br>حتی کلاغ پیر همسایه.</p>',
      '',
      'fa',
    ),
  ),
  saved(
    'bus pass, Hebrew',
    page(
      'כרטיסים',
      '<h1>כרטיסי נוער</h1><p>אפשר לקנות בתחנה המרכזית או אצל הנהג. תקף לשנה אחת, גם בשבתות באזור הצפון.</p>',
      '',
      'he',
    ),
  ),
  saved(
    'seed list',
    themed(
      'en',
      'Seeds',
      ['Home', 'Seeds', 'Swap'],
      '<table><tr><td>Crimson broad bean</td><td>20 seeds</td><td>2.10</td></tr><tr><td>Lazy housewife</td><td>15 seeds</td><td>2.40</td></tr><tr><td>Fat Lazy Blonde</td><td>200 seeds</td><td>1.90</td></tr></table>',
    ),
  ),
  saved(
    'repository page',
    themed(
      'en',
      'tide-clock',
      ['Code', 'Issues', 'Pull requests'],
      '<h1>tide-clock</h1><p>A clock with one hand that goes round in 12 hours and 25 minutes. Two gears, one motor, drawings in the folder.</p><p>MIT licence · 14 stars</p>',
    ),
  ),
  saved(
    'issue in a tracker',
    themed(
      'en',
      'Login loops forever',
      ['Code', 'Issues'],
      '<h1>Login loops forever #212</h1><p><b>marek</b>: After upgrading to 3.2 I am sent back to the login page each time. No error in the console. Works when I delete the cookies.</p><p><b>yuki</b>: Fixed in 3.2.1, the path of the cookie had changed.</p>',
    ),
  ),
  saved(
    'release that fixes a 500',
    themed(
      'en',
      'v1.8.3',
      ['Code', 'Releases'],
      '<h1>v1.8.3</h1><ul><li>An empty cart no longer answers with 500</li><li>Danish translation, thanks to Signe</li><li>Half the memory when importing</li></ul>',
    ),
  ),
  saved(
    'wine merchant',
    themed(
      'fr',
      'Chinon 2019',
      ['Vins', 'Cave', 'Livraison'],
      '<h1>Chinon Vieilles Vignes 2019</h1><p>14,50 €. Cabernet franc sur argile et silex, dix-huit mois de fût. Épuisé, le 2020 arrive en mars.</p>',
    ),
  ),
  saved(
    'estate agent',
    themed(
      'pl',
      'Dom',
      ['Domy', 'Działki'],
      '<h1>Dom z bali, 110 m²</h1><p>Cena 420 000 zł. Działka 12 arów, studnia, droga gminna. Blisko las i jezioro.</p>',
    ),
  ),
  saved(
    'second-hand camera, sold',
    themed(
      'sv',
      'Kamera',
      ['Köp', 'Sälj'],
      '<h1>Hasselblad 500C/M</h1><p>Såld i mars för 14 000 kr. 80 mm Planar, A12-magasin, nyligen servad i Göteborg. Bilderna ligger kvar för den som jämför priser.</p>',
    ),
  ),
  saved(
    'small shelter',
    page(
      'Cats',
      '<h1>Waiting for a home</h1><ul><li>Oskar, 9, deaf, loves radiators</li><li>Mimi and Lou, 2, only together</li><li>Grau, 5, no children please</li></ul>',
    ),
  ),
  saved(
    'rate of a pool',
    page(
      'Rates',
      '<table><tr><td>Adults</td><td>4.50</td></tr><tr><td>Under 16</td><td>2.50</td></tr><tr><td>Ten visits</td><td>38.00</td></tr></table><p>Members swim free on Mondays.</p>',
    ),
  ),
  saved(
    'JSON of a station',
    '{"station":"Bergen","temp":4.2,"wind":{"dir":"SW","ms":9}}',
    'application/json',
  ),
  saved(
    'JSON of an error list that is a catalogue',
    '{"errors":[{"id":"E12","text":"Paper jam"},{"id":"E19","text":"Door open"}]}',
    'application/json',
  ),
  saved(
    'plain notes',
    'TODO\n- oil the gate\n- ask Ruth about the key\n- 3 m of rope\n',
    'text/plain',
  ),
  saved(
    'feed of one entry',
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Tides</title><entry><title>Spring tide on Friday</title><summary>5.6 m at 06:12.</summary></entry></feed>',
    'application/xml',
  ),
]
