// Real but odd pages for the third set held out: short, sparse, in many languages, and many of them about the very things that
// walls speak of. Written before any verdict on them was seen.
import { page, type Saved, script, site } from './sample.fixture.ts'

const saved = (name: string, html: string, contentType?: string): Saved => ({
  name,
  html,
  ...(contentType === undefined ? {} : { contentType }),
})

const plain = (title: string, body: string, lang = 'en', head = '') => page(title, body, head, lang)

/** A site whose menus are plain divisions. */
const divided = (lang: string, title: string, menu: string, body: string, foot: string) =>
  page(
    title,
    `<div class="top"><a href="/">●</a><div class="links">${menu
      .split(', ')
      .map((item) => `<a href="#">${item}</a>`)
      .join(' ')}</div></div><div class="inner">${body}</div><div class="base">${foot}</div>`,
    `<link rel="stylesheet" href="/t.css">${script('/t.js')}`,
    lang,
  )

const notices: readonly Saved[] = [
  saved(
    'the bridge is closed',
    plain(
      'Bridge closed',
      '<h1>Station Road bridge closed</h1><p>The bridge is closed to all traffic until Friday for repairs to the parapet. Pedestrians may cross by the towpath. Buses 4 and 19 turn at the church.</p>',
    ),
  ),
  saved(
    'the pool is closed for maintenance',
    plain(
      'Pool closed',
      '<h1>Pool closed for maintenance</h1><p>The teaching pool is closed from 3 to 9 March while the tiles are replaced. The main pool, the gym and the café are open as usual.</p>',
    ),
  ),
  saved(
    'planned work on a network',
    plain(
      'Planned maintenance on 14 May',
      '<h1>Planned maintenance on 14 May</h1><p>Between 01:00 and 03:00 we will replace a switch in Rotterdam. Customers in racks 4 to 9 lose their connection for about ten minutes. Nobody else will notice. Questions go to noc@carrier.example.</p>',
    ),
  ),
  saved(
    'a restaurant in winter',
    plain(
      'Gone fishing',
      '<h1>We are closed for the winter</h1><p>The kitchen opens again on 1 April with the new menu. Until then Marta sells bread and soup at the Saturday market, stall 12.</p>',
    ),
  ),
  saved(
    'a lost dog',
    plain(
      'Lost: Bramble',
      '<h1>Lost: Bramble</h1><p>Brown terrier, white left paw, ran off near the reservoir on Sunday. Shy with men. Please ring Joan on 0113 496 0001.</p>',
    ),
  ),
  saved(
    'a recall',
    plain(
      'Product recall',
      '<h1>Recall of oat bars, batch L2207</h1><p>Some bars may hold pieces of plastic. Do not eat them. Bring them back to any shop for a refund, no receipt needed.</p>',
    ),
  ),
  saved(
    'boil your water',
    plain(
      'Boil water notice',
      '<h1>Boil water notice lifted</h1><p>Tests of three days were clean. You can drink from the tap again. Let it run for two minutes first.</p>',
    ),
  ),
  saved(
    'a church notice, German',
    plain(
      'Gemeindebrief',
      '<h1>Kirchenkaffee fällt aus</h1><p>Am Sonntag gibt es nach dem Gottesdienst keinen Kaffee, weil die Küche gestrichen wird. Am 12. sind wieder alle eingeladen.</p>',
      'de',
    ),
  ),
  saved(
    'an office moves, French',
    plain(
      'Déménagement',
      '<h1>La mairie annexe déménage</h1><p>À partir du 2 juin, les guichets se trouvent au 14, rue des Tanneurs. Les horaires ne changent pas. Le stationnement est gratuit la première heure.</p>',
      'fr',
    ),
  ),
  saved(
    'a market, Spanish',
    plain(
      'Mercadillo',
      '<h1>El mercadillo cambia de plaza</h1><p>El jueves los puestos estarán en la plaza Nueva, de nueve a dos, porque se levanta el suelo de la plaza Mayor.</p>',
      'es',
    ),
  ),
  saved(
    'a power cut, Polish',
    plain(
      'Przerwa w dostawie prądu',
      '<h1>Przerwa w dostawie prądu</h1><p>We wtorek od 8 do 14 nie będzie prądu przy ulicach Lipowej i Krótkiej z powodu wymiany kabla. Za utrudnienia przepraszamy.</p>',
      'pl',
    ),
  ),
  saved(
    'a clinic, Turkish',
    plain(
      'Duyuru',
      '<h1>Aile sağlığı merkezi taşındı</h1><p>Merkezimiz Çınar Sokak 8 numaraya taşınmıştır. Aşı günleri pazartesi ve perşembedir. Randevu için 0312 000 00 00.</p>',
      'tr',
    ),
  ),
  saved(
    'a library, Ukrainian',
    plain(
      'Оголошення',
      '<h1>Бібліотека працює за новим графіком</h1><p>З першого вересня читальний зал відкритий з десятої до дев’ятнадцятої, у п’ятницю до шостої. Книжки можна повертати в скриньку біля входу.</p>',
      'uk',
    ),
  ),
  saved(
    'a trail, Czech',
    plain(
      'Uzavírka stezky',
      '<h1>Uzavírka stezky ke skále</h1><p>Od března do června je horní část stezky uzavřena kvůli hnízdění sokolů. Obchůzka vede kolem mlýna a je značena žlutě.</p>',
      'cs',
    ),
  ),
  saved(
    'a sauna, Finnish',
    plain(
      'Yleinen sauna',
      '<h1>Yleinen sauna</h1><p>Naisten vuoro on torstaina kello 17–19 ja miesten 19–21. Oma pyyhe mukaan. Kesäkuussa sauna on kiinni.</p>',
      'fi',
    ),
  ),
  saved(
    'a ferry, Greek',
    plain(
      'Δρομολόγια',
      '<h1>Το πλοίο δεν θα εκτελέσει δρομολόγιο</h1><p>Λόγω ισχυρών ανέμων το δρομολόγιο των επτά το πρωί ακυρώνεται. Το επόμενο πλοίο φεύγει στις τρεις το μεσημέρι από την προβλήτα δύο.</p>',
      'el',
    ),
  ),
  saved(
    'a school, Japanese',
    plain(
      'お知らせ',
      '<h1>運動会の延期について</h1><p>雨のため、土曜日の運動会は日曜日に延期します。お弁当と水筒をお持ちください。駐車場はありません。</p>',
      'ja',
    ),
  ),
  saved(
    'a bus, Korean',
    plain(
      '공지',
      '<h1>7번 버스 노선이 바뀝니다</h1><p>다음 주 월요일부터 시장 앞 정류장 대신 우체국 앞에 섭니다. 첫차는 오전 여섯 시입니다.</p>',
      'ko',
    ),
  ),
  saved(
    'a museum, Chinese',
    plain(
      '通知',
      '<h1>本周末展览延长开放</h1><p>星期六和星期日展厅开放至晚上九点，最后入场时间为八点。学生凭证免费。</p>',
      'zh-CN',
    ),
  ),
  saved(
    'a clinic, Arabic',
    plain(
      'إعلان',
      '<h1>تغيير مواعيد العيادة</h1><p>ابتداء من الأسبوع القادم تفتح العيادة من الثامنة صباحا حتى الثانية ظهرا، وتغلق يوم الجمعة. للحجز يرجى الاتصال بالرقم المعروف.</p>',
      'ar',
    ),
  ),
  saved(
    'a road, Hebrew',
    plain(
      'עדכון',
      '<h1>רחוב הגפן ייסגר לתנועה</h1><p>ביום שלישי מתשע עד ארבע ייסגר הרחוב לצורך החלפת צינור המים. החניה ברחוב הסמוך תהיה חופשית.</p>',
      'he',
    ),
  ),
  saved(
    'a well, Persian',
    plain(
      'اطلاعیه',
      '<h1>قطع آب در محله چنار</h1><p>روز چهارشنبه از ساعت نه تا سیزده آب این محله به دلیل تعمیر لوله قطع است. لطفا آب ذخیره کنید.</p>',
      'fa',
    ),
  ),
  saved(
    'a temple, Thai',
    plain(
      'ประกาศ',
      '<h1>งานวัดประจำปี</h1><p>ขอเชิญร่วมงานวัดวันที่สิบถึงสิบสอง มีอาหาร ดนตรี และตลาดของชาวบ้าน จอดรถได้ที่โรงเรียน</p>',
      'th',
    ),
  ),
  saved(
    'a ward, Indonesian',
    plain(
      'Pengumuman',
      '<h1>Kerja bakti hari Minggu</h1><p>Warga RT 5 diminta berkumpul pukul tujuh di balai warga dan membawa sapu. Setelah selesai ada makan siang bersama.</p>',
      'id',
    ),
  ),
]

const about: readonly Saved[] = [
  saved(
    'what a 404 is',
    plain(
      'HTTP 404',
      '<article><h1>HTTP 404</h1><p>The status 404 means that a server was reached but has nothing at the path. It says nothing of whether that will last; 410 does. Servers often send a page along with it that helps people to find their way.</p></article>',
    ),
  ),
  saved(
    'how to fix 403 in nginx',
    plain(
      '403 Forbidden in nginx',
      '<article><h1>403 Forbidden in nginx</h1><p>Most often the worker cannot read the folder. Look at the owner of the files and give the execute bit to each folder above. If there is no index file and autoindex is off, nginx answers 403 as well.</p><pre><code>chmod o+x /srv /srv/www</code></pre></article>',
    ),
  ),
  saved(
    'forum thread about access denied',
    divided(
      'en',
      'Access denied when mounting share',
      'Forums, New posts, Members',
      '<h1>Access denied when mounting share</h1><div class="post"><b>hank</b><p>Since the update I get “access denied by server while mounting” from the NAS. The export list has not changed.</p></div><div class="post"><b>mireille</b><p>Same here. Setting vers=3 in fstab made it go away, I have not looked further.</p></div>',
      'Tinkerers since 2009',
    ),
  ),
  saved(
    'docs: rate limits',
    plain(
      'Rate limits',
      '<main><h1>Rate limits</h1><p>Each key may send 60 requests a minute. Beyond that the reply is 429 with a Retry-After header. Bursts of ten are let through. Ask us for more if you index a whole library.</p></main>',
    ),
  ),
  saved(
    'docs: adding a captcha',
    plain(
      'Add a captcha to a form',
      '<main><h1>Add a captcha to a form</h1><p>Put the widget where the button is and check the token on your server.</p><pre><code>&lt;div class="h-captcha" data-sitekey="…"&gt;&lt;/div&gt;</code></pre><p>Tokens can be used once and live for two minutes.</p></main>',
    ),
  ),
  saved(
    'history of the captcha',
    plain(
      'Captcha',
      '<h1>Captcha</h1><p>The word was coined in 2003 at Carnegie Mellon. Early puzzles showed warped letters, which machines learnt to read within years. Later ones asked to click on buses and hydrants, and the newest mostly watch how the mouse moves.</p>',
    ),
  ),
  saved(
    'a firm that sells bot walls',
    divided(
      'en',
      'Stop bots',
      'Product, Pricing, Docs, Login',
      '<h1>Stop bots without annoying people</h1><p>Our sensor looks at how a visitor moves and blocks what is automated. No puzzles for anybody. Shops that use it saw 90 % fewer stolen accounts.</p><a>Start free trial</a>',
      '© Fenwick Security',
    ),
  ),
  saved(
    'help: cannot sign in',
    plain(
      'Trouble signing in',
      '<main><h1>Trouble signing in</h1><p>If your password is not taken, check that Caps Lock is off. After five wrong tries the account is locked for an hour. Use the link Forgot password to get a mail. Still stuck? Ring the library desk with your card at hand.</p></main>',
    ),
  ),
  saved(
    'help: you have been blocked',
    plain(
      'Why was my card blocked?',
      '<main><h1>Why was my card blocked?</h1><p>We block a card after three wrong PINs, or when it is used in two countries within an hour. Open the app, tap Cards and then Unblock. If you reported it stolen, a new one is already on its way.</p></main>',
    ),
  ),
  saved(
    'help: enable cookies',
    plain(
      'How to enable cookies',
      '<main><h1>How to enable cookies</h1><ol><li>Open the settings of your browser.</li><li>Choose Privacy, then Cookies.</li><li>Allow them for our address.</li></ol><p>In Safari on a phone the switch is in the system settings.</p></main>',
    ),
  ),
  saved(
    'a cookie policy',
    site(
      'Cookie policy',
      '<h1>Cookie policy</h1><p>We set three cookies. One keeps your basket, one remembers your language and one counts visits without knowing who you are. None is shared. The first two go when you close the browser, the third after thirteen months.</p>',
    ),
  ),
  saved(
    'a privacy notice, German',
    plain(
      'Datenschutz',
      '<h1>Datenschutzerklärung</h1><p>Verantwortlich ist der Heimatverein Moorbach e. V. Beim Besuch speichert der Server Ihre IP-Adresse für sieben Tage, um Angriffe zu erkennen. Cookies setzen wir nicht. Sie haben ein Recht auf Auskunft und Löschung.</p>',
      'de',
    ),
  ),
  saved(
    'a law on age checks',
    plain(
      'Age checks become law',
      '<article><h1>Age checks become law</h1><p>From July sites with adult material must make sure that visitors are over 18. A box to tick will not do. Banks, phone companies and photo matching are named as ways. Fines reach a tenth of turnover.</p></article>',
    ),
  ),
  saved(
    'news: site was down',
    plain(
      'Booking site down for hours',
      '<article><h1>Booking site down for hours</h1><p>Thousands could not buy tickets on Monday when the railway’s site showed only an error. The operator blamed a database that had filled its disk. Refunds are given until Sunday.</p></article>',
    ),
  ),
  saved(
    'news: attack on a registry',
    plain(
      'Registry under attack',
      '<article><h1>Registry under attack</h1><p>A flood of 900 gigabits a second hit the registry on Tuesday. Its mitigation held after twenty minutes. “We saw mostly traffic from hijacked cameras,” said its head of operations.</p></article>',
    ),
  ),
  saved(
    'an essay on paywalls',
    plain(
      'After the paywall',
      '<article><h1>After the paywall</h1><p>When our paper locked its articles in 2012, half of the readers left and the other half paid. Ten years on, subscriptions carry the newsroom, and the free pieces bring in those who will pay next year.</p></article>',
    ),
  ),
  saved(
    'a film called Access Denied',
    plain(
      'Access Denied (1997)',
      '<h1>Access Denied</h1><p>1997, 94 minutes, directed by L. Farrow. A night guard finds that his key no longer opens any door in the tower, one floor after the other. With T. Osei and M. Brandt.</p>',
    ),
  ),
  saved(
    'a song called Not Found',
    plain(
      'Not Found',
      '<h1>Not Found</h1><p>Third single of the band’s second album, written on tour in Osaka. It reached number 14 in June and stayed for nine weeks. The video was shot in one take in a closed department store.</p>',
    ),
  ),
  saved(
    'a poem called Just a Moment',
    plain(
      'Just a moment',
      '<h1>Just a moment</h1><p>Just a moment, said the rain,<br>and stood there at the window pane,<br>and drummed its fingers, thin and grey,<br>and never meant to go away.</p>',
    ),
  ),
  saved(
    'an exhibition called Are You Human?',
    plain(
      'Are you human?',
      '<h1>Are you human?</h1><p>Masks, dolls and automata from four centuries. Until 9 November, Tuesday to Sunday, 10 to 18. Free on the first Sunday of the month. Guided tours at 15.</p>',
    ),
  ),
  saved(
    'the Forbidden City',
    plain(
      'Forbidden City',
      '<h1>Forbidden City</h1><p>Seat of twenty-four emperors and now a museum with 9,371 rooms. Tickets must be bought seven days ahead with a passport number. Closed on Mondays.</p>',
    ),
  ),
  saved(
    '503 Squadron',
    plain(
      '503 Squadron',
      '<h1>No. 503 Squadron</h1><p>Formed at Waddington in 1926 as a special reserve bomber unit and disbanded in 1938, when its men and machines went over to 616 Squadron. It flew Fairey Fawns, Hyderabads, Wallaces and Harts.</p>',
    ),
  ),
  saved(
    'security check at an airport',
    plain(
      'Security check',
      '<h1>Security check</h1><p>Put liquids of up to 100 ml into a clear bag. Laptops stay in your bag in hall B, where the new scanners are. Allow 40 minutes at Easter.</p>',
    ),
  ),
  saved(
    'unblock a drain',
    plain(
      'Blocked drains',
      '<h1>Blocked drains</h1><p>We clear blocked drains in Fife and Angus within two hours, day and night, from £60. No call-out charge. Ring Doug on 01382 496 0110.</p>',
    ),
  ),
  saved(
    'verification of diplomas',
    plain(
      'Verification',
      '<h1>Verification of diplomas</h1><p>Employers may ask us to confirm a degree. Send the name, the date of birth and the signed consent of the graduate to registry@college.example. The answer takes three working days and is free.</p>',
    ),
  ),
  saved(
    'glossary entry',
    plain(
      'Firewall',
      '<dl><dt>Firewall</dt><dd>A wall between two buildings, or between a kitchen and the rest, that keeps a fire on its side for at least ninety minutes. It goes through the roof by thirty centimetres.</dd></dl>',
    ),
  ),
  saved(
    'changelog',
    plain(
      'Changelog',
      '<h1>Changelog</h1><h2>2.4.1</h2><ul><li>Fixed: logging in failed with a blank page on old phones</li><li>Fixed: error 500 when a basket was empty</li></ul><h2>2.4.0</h2><ul><li>Sessions time out after 30 minutes</li></ul>',
    ),
  ),
  saved(
    'status page, all well',
    plain(
      'Status',
      '<h1>All systems operational</h1><table><tr><td>API</td><td>Operational</td><td>99.98 %</td></tr><tr><td>Dashboard</td><td>Operational</td><td>99.95 %</td></tr><tr><td>Mail</td><td>Degraded</td><td>98.2 %</td></tr></table><h2>Past incidents</h2><p>12 May: mail was delayed for forty minutes after a disk failed.</p>',
    ),
  ),
  saved(
    'status page, incident',
    plain(
      'Elevated errors',
      '<h1>Elevated errors in Frankfurt</h1><p><b>Resolved</b> 11:40 – the error rate is back to normal.</p><p><b>Monitoring</b> 11:05 – a fix is out.</p><p><b>Investigating</b> 10:31 – about 4 % of requests fail with 503.</p>',
    ),
  ),
  saved(
    'answer on 429, Portuguese',
    plain(
      'Erro 429',
      '<article><h1>O que significa o erro 429</h1><p>O servidor recebeu pedidos demais do mesmo endereço em pouco tempo. Espere o tempo indicado no cabeçalho Retry-After e diminua o ritmo do seu programa. Se for um site seu, veja as regras do plugin de segurança.</p></article>',
      'pt',
    ),
  ),
  saved(
    'answer on 404, Russian',
    plain(
      'Ошибка 404',
      '<article><h1>Как оформить страницу 404</h1><p>Хорошая страница ошибки объясняет, что случилось, и предлагает выход: поиск, карту сайта или популярные разделы. Не перенаправляйте всех на главную, это сбивает с толку и людей, и поисковики.</p></article>',
      'ru',
    ),
  ),
  saved(
    'on captchas, French',
    plain(
      'Captcha et accessibilité',
      '<article><h1>Captcha et accessibilité</h1><p>Pour une personne aveugle, recopier des lettres déformées est impossible. L’alternative sonore est souvent inaudible. Mieux vaut un piège invisible ou une question simple que tout le monde comprend.</p></article>',
      'fr',
    ),
  ),
  saved(
    'on log-ins, Spanish',
    plain(
      'Cómo recuperar tu contraseña',
      '<main><h1>Cómo recuperar tu contraseña</h1><ol><li>Pulsa en «He olvidado mi contraseña».</li><li>Escribe tu correo.</li><li>Abre el mensaje y elige una nueva.</li></ol><p>El enlace caduca a las dos horas.</p></main>',
      'es',
    ),
  ),
  saved(
    'on blocking, Japanese',
    plain(
      'アクセス制限の設定',
      '<article><h1>アクセス制限の設定方法</h1><p>管理画面の「セキュリティ」を開き、許可するIPアドレスを一行に一つずつ入力します。保存すると数分で反映されます。自分の住所を入れ忘れると管理画面に入れなくなるのでご注意ください。</p></article>',
      'ja',
    ),
  ),
]

const sparse: readonly Saved[] = [
  saved(
    'a haiku',
    plain(
      'Frost',
      '<p>First frost on the gate.<br>The post van waits, its engine<br>warming a robin.</p>',
    ),
  ),
  saved(
    'four lines of a song, Italian',
    plain(
      'Ninna nanna',
      '<p>Ninna nanna, ninna oh,<br>questo bimbo a chi lo do?<br>Lo darò alla luna piena<br>che lo porta fino a cena.</p>',
      'it',
    ),
  ),
  saved(
    'a quotation',
    plain(
      'Quote of the day',
      '<blockquote>A bridge is a road that has learnt to hold its breath.</blockquote><p>Ines Varga, letters, 1931</p>',
    ),
  ),
  saved(
    'a personal card',
    plain(
      'Tom Adeyemi',
      '<h1>Tom Adeyemi</h1><p>I build small boats and write about rivers. Based in Lagos. Mail: tom@adeyemi.example</p>',
    ),
  ),
  saved(
    'a person, Dutch',
    plain(
      'Sanne de Wit',
      '<h1>Sanne de Wit</h1><p>Restaurator van papier in Leiden. Ik werk voor musea, archieven en mensen met een doos op zolder.</p>',
      'nl',
    ),
  ),
  saved(
    'a photograph',
    plain(
      'Harbour at six',
      '<figure><img src="/h.jpg" alt="Boats"><figcaption>Harbour at six, Kodak Portra 160, March 2019. The crane on the left was taken down a month later.</figcaption></figure>',
    ),
  ),
  saved(
    'one answer',
    plain('Is it Friday?', '<h1>No.</h1><p>It is Tuesday. Friday is in three days.</p>'),
  ),
  saved(
    'a number',
    plain(
      'Water level at Passau',
      '<h1>5.42 m</h1><p>Danube at Passau, 14:15, falling. Warning level 1 is 7.00 m.</p>',
    ),
  ),
  saved(
    'a definition',
    plain(
      'wainscot',
      '<h1>wainscot</h1><p><i>noun.</i> Wooden panelling on the lower part of the walls of a room. From Middle Low German <i>wagenschot</i>.</p>',
    ),
  ),
  saved(
    'a telegram of a diary',
    plain(
      '7 April',
      '<h1>7 April</h1><p>Swallows. Wind from the west. Planted the early potatoes, four rows, and mended the hen house door.</p>',
    ),
  ),
  saved(
    'opening hours',
    plain(
      'Hours',
      '<table><tr><th>Mon</th><td>closed</td></tr><tr><th>Tue–Fri</th><td>9–12, 14–18</td></tr><tr><th>Sat</th><td>9–13</td></tr></table>',
    ),
  ),
  saved(
    'timetable',
    plain(
      'Line 4',
      `<h1>Line 4</h1><table>${['Quay', 'Market', 'Hospital', 'School', 'Terminus'].map((stop, index) => `<tr><td>${stop}</td><td>06:${10 + index * 4}</td><td>07:${10 + index * 4}</td><td>08:${10 + index * 4}</td></tr>`).join('')}</table>`,
    ),
  ),
  saved(
    'league table',
    plain(
      'Division 3',
      `<table><tr><th>Team</th><th>P</th><th>Pts</th></tr>${['Alva', 'Brechin', 'Crieff', 'Dunoon', 'Ellon', 'Forfar'].map((team, index) => `<tr><td>${team}</td><td>18</td><td>${40 - 5 * index}</td></tr>`).join('')}</table>`,
    ),
  ),
  saved(
    'exchange rates',
    plain(
      'Курсы валют',
      '<table><tr><td>Доллар</td><td>92,40</td></tr><tr><td>Евро</td><td>99,85</td></tr><tr><td>Юань</td><td>12,71</td></tr><tr><td>Лира</td><td>2,83</td></tr></table><p>На 4 марта, данные банка.</p>',
      'ru',
    ),
  ),
  saved(
    'results of a draw',
    plain(
      'Lotto',
      '<h1>Ziehung vom Samstag</h1><p>3 – 11 – 19 – 27 – 40 – 44</p><p>Superzahl 7. Alle Angaben ohne Gewähr.</p>',
      'de',
    ),
  ),
  saved(
    'chess game',
    plain(
      'Game 12',
      '<p>1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O ½–½</p>',
    ),
  ),
  saved(
    'list of links',
    plain(
      'Links',
      '<h1>Links</h1><ul><li><a href="#">How to sharpen a scythe</a></li><li><a href="#">Soil map of the county</a></li><li><a href="#">Seed swaps this spring</a></li><li><a href="#">A bee hotel from reeds</a></li><li><a href="#">Old apple names</a></li></ul>',
    ),
  ),
  saved(
    'directory with files',
    '<html><head><title>Index of /pub/maps</title></head><body><h1>Index of /pub/maps</h1><pre><a href="../">../</a>\n<a href="n1.tif">north-1902.tif</a>  04-Mar-2019 10:22  18M\n<a href="s1.tif">south-1902.tif</a>  04-Mar-2019 10:25  21M\n<a href="README">README</a>  04-Mar-2019 10:26  2K\n</pre></body></html>',
  ),
  saved(
    'a menu of soups',
    plain(
      'Soups',
      '<ul><li>Leek and potato 4.50</li><li>Fish with saffron 6.80</li><li>Beetroot, cold 4.20</li><li>Soup of the day, ask Marta</li></ul>',
    ),
  ),
  saved(
    'contact',
    plain(
      'Contact',
      '<h1>Contact</h1><p>Ferrier &amp; Daughters, 3 Quay Street, Oban. Telephone 01631 496 0007, weekdays 9 to 5.</p><form><input name="name"><input name="mail"><textarea></textarea><div class="g-recaptcha" data-sitekey="x"></div><button>Send</button></form>',
    ),
  ),
  saved(
    'an imprint, German',
    plain(
      'Impressum',
      '<h1>Impressum</h1><p>Tischlerei Brandt, Inhaber Uwe Brandt, Mühlweg 4, 29472 Damnatz. Telefon 05865 000. USt-IdNr. DE000000000.</p>',
      'de',
    ),
  ),
  saved(
    'sold out concert',
    plain(
      'Quartet in the barn',
      '<h1>Quartet in the barn</h1><p>Saturday 14 June, 19:30. Haydn, Bartók, Shaw. Doors at 19. Sold out; returns at the door from 18:45.</p>',
    ),
  ),
  saved(
    'coming soon to the cinema',
    plain(
      'Coming soon',
      '<h1>Coming soon</h1><ul><li>The Salt Path Back, from 3 May</li><li>Nine Doors, from 10 May</li><li>Kite, from 17 May, with the director on the first night</li></ul>',
    ),
  ),
  saved(
    'obituary',
    plain(
      'Elsie Marwood',
      '<h1>Elsie Marwood, 1931–2024</h1><p>Teacher at Holm school for forty years, later its historian. The funeral is on Thursday at two. No flowers; gifts to the lifeboat.</p>',
    ),
  ),
  saved(
    'job in two lines',
    plain(
      'Baker wanted',
      '<h1>Baker wanted</h1><p>Four nights a week from October, 22:00 to 5:00, 19 € an hour. Come by after eight in the morning and ask for Ahmed.</p>',
    ),
  ),
  saved(
    'a message in Icelandic',
    plain(
      'Tilkynning',
      '<h1>Vegurinn er lokaður</h1><p>Vegurinn yfir heiðina er lokaður vegna snjóa. Næst verður athugað klukkan átta í fyrramálið.</p>',
      'is',
    ),
  ),
  saved(
    'weather in Norwegian',
    plain(
      'Vær',
      '<h1>Været i Bodø</h1><p>I kveld sørvest liten kuling, regn, fem grader. I morgen opphold og litt sol fra formiddagen.</p>',
      'no',
    ),
  ),
  saved(
    'recipe in Vietnamese',
    plain(
      'Trà gừng',
      '<h1>Trà gừng mật ong</h1><p>Gọt vỏ một nhánh gừng, thái lát mỏng, đun với nửa lít nước trong mười phút. Để nguội bớt rồi thêm hai thìa mật ong.</p>',
      'vi',
    ),
  ),
  saved(
    'proverb in Hungarian',
    plain(
      'Közmondás',
      '<h1>Közmondás</h1><p>Ki korán kel, aranyat lel. Aki viszont sokáig olvas este, annak a rigó is korán szól.</p>',
      'hu',
    ),
  ),
  saved(
    'a tale in Romanian',
    plain(
      'Poveste',
      '<p>A fost odată un morar care avea trei fete și o moară fără roată. În fiecare seară fetele aduceau apă de la izvor.</p>',
      'ro',
    ),
  ),
  saved(
    'a note in Danish',
    plain(
      'Æbler',
      '<h1>Gratis æbler</h1><p>Der står kasser ved lågen på Møllevej 9. Tag hvad I kan spise, men lad kasserne stå.</p>',
      'da',
    ),
  ),
  saved(
    'a note in Hindi',
    plain(
      'मेला',
      '<h1>पुस्तक मेला</h1><p>पुस्तक मेला शनिवार से शुरू होगा। प्रवेश निःशुल्क है और बच्चों के लिए कहानी का कोना भी होगा।</p>',
      'hi',
    ),
  ),
]

const shops: readonly Saved[] = [
  saved(
    'grid of products',
    site(
      'Mugs',
      `<h1>Mugs</h1>${['Blue', 'Red', 'Speckled', 'Tall', 'Two-handed', 'Travel'].map((name) => `<div class="card"><a href="#"><img src="/m.jpg" alt=""></a><h3><a href="#">${name} mug</a></h3><span>£12.00</span></div>`).join('')}`,
    ),
  ),
  saved(
    'grid of products, divided',
    divided(
      'es',
      'Sillas',
      'Mesas, Sillas, Lámparas',
      ['Roble', 'Haya', 'Metal', 'Mimbre', 'Plegable']
        .map(
          (name) =>
            `<div><a href="#">Silla de ${name}</a><span>49 €</span><span>Añadir a la cesta</span></div>`,
        )
        .join(''),
      'Envíos',
    ),
  ),
  saved(
    'out of stock',
    site(
      'Brass kettle',
      '<h1>Brass kettle, 2 litres</h1><p>£64. Out of stock, expected in May.</p><p>Spun from one sheet in Birmingham, tinned inside, with a beech handle. Works on gas and electric, not on induction. 1.3 kg.</p><button>Notify me</button>',
    ),
  ),
  saved(
    'discontinued but described',
    site(
      'Lantern No. 7',
      '<h1>Lantern No. 7</h1><p>This lantern was made from 1998 to 2015 and is not sold any more. Wicks and glasses still are: wick 4, glass B. Burns 14 hours on a filling of 300 ml.</p><a href="#">Spare parts</a>',
    ),
  ),
  saved(
    'nothing in this filter but advice',
    site(
      'Walking boots, size 50',
      '<h1>Walking boots, size 50</h1><p>We have no boots in this size at the moment. Hendrik in Groningen makes them to measure in about ten weeks, from 240 €. Or try our size 49 of the model Dovre, which is cut wide.</p>',
    ),
  ),
  saved(
    'search with three hits',
    site(
      'Search: anchor',
      '<h1>3 results for “anchor”</h1><ol><li><a href="#">Folding anchor, 1.5 kg</a> £18</li><li><a href="#">Mushroom anchor</a> £25</li><li><a href="#">Anchor chain, by the metre</a> £4</li></ol>',
    ),
  ),
  saved(
    'store locator',
    site(
      'Shops',
      `<h1>Our shops</h1><form><input placeholder="Town or postcode"><button>Find</button></form><ul>${['Leeds, Boar Lane 12', 'York, Stonegate 4', 'Hull, Whitefriargate 30'].map((shop) => `<li>${shop}, open 9 to 18</li>`).join('')}</ul>`,
    ),
  ),
  saved(
    'store locator, Swedish',
    divided(
      'sv',
      'Butiker',
      'Nyheter, Butiker, Kundtjänst',
      '<h1>Hitta butik</h1><input placeholder="Ort"><ul><li>Umeå, Kungsgatan 52, 10–18</li><li>Luleå, Storgatan 3, 10–17</li></ul>',
      '© Ull',
    ),
  ),
  saved(
    'basket that is empty, with hints',
    site(
      'Your basket',
      '<h1>Your basket is empty</h1><p>Delivery is free from £40. These went well this week:</p><ul><li><a href="#">Linen towel</a> £14</li><li><a href="#">Soap dish of slate</a> £9</li><li><a href="#">Oak hook</a> £6</li><li><a href="#">Enamel jug</a> £22</li></ul>',
    ),
  ),
  saved(
    'product, Japanese',
    plain(
      '南部鉄瓶',
      '<h1>南部鉄瓶 1.2L</h1><p>¥24,200（税込）</p><p>岩手の工房で一つずつ鋳造しています。内側は素焼き仕上げ。直火とIHに対応します。</p><button>カートに入れる</button>',
      'ja',
    ),
  ),
  saved(
    'product, Chinese',
    plain(
      '紫砂壶',
      '<h1>紫砂壶 200毫升</h1><p>¥380</p><p>宜兴原矿紫泥，全手工制作，出水流畅。附木盒与养壶说明。</p><button>加入购物车</button>',
      'zh-CN',
    ),
  ),
  saved(
    'product, Russian',
    divided(
      'ru',
      'Самовар',
      'Посуда, Чай, Доставка',
      '<h1>Самовар угольный, 5 л</h1><p>Цена 31 500 ₽. Латунь, Тула, 2023 год. Кипятит за двадцать минут. Временно нет в наличии, ожидаем в июне.</p>',
      '',
    ),
  ),
  saved(
    'house for sale',
    divided(
      'fr',
      'Maison à vendre',
      'Acheter, Louer, Estimer',
      '<h1>Maison de pêcheur, 82 m²</h1><p>198 000 €. Deux chambres, jardin clos, vue sur le port. Toiture refaite en 2019. Chauffage au bois.</p><a href="#">Demander une visite</a>',
      '',
    ),
  ),
  saved(
    'domain names explained by a registrar',
    site(
      'Transfer a domain',
      '<h1>Transfer a domain</h1><p>Unlock the name at your present registrar, ask for the code and type it in here. It takes five days and adds a year. If the name was registered within the last sixty days it has to wait.</p>',
    ),
  ),
  saved(
    'subscription of a paper',
    site(
      'Subscribe',
      '<h1>Subscribe</h1><table><tr><th>Digital</th><td>£8 a month</td><td>all articles, the archive since 1890 and the crossword</td></tr><tr><th>Saturday</th><td>£14 a month</td><td>the same and the printed paper on Saturdays</td></tr></table>',
    ),
  ),
]

const furnished: readonly Saved[] = [
  saved(
    'article with a log-in box beside it',
    page(
      'Otters return',
      '<div id="login"><form><input name="u"><input type="password" name="p"><button>Log in</button></form><a href="#">Register</a></div><article><h1>Otters return to the Tame</h1><p>For the first time since the sixties, otters have been filmed below the weir. The council will leave the bank wild between the two bridges and has moved the towpath lights.</p></article>',
    ),
  ),
  saved(
    'article under a consent bar',
    page(
      'New tram line',
      '<div class="cc-window">This website uses cookies to improve your experience. <a>Accept</a> <a>Decline</a></div><article><h1>New tram line opens</h1><p>Line 9 links the harbour with the university in nineteen minutes. Trams run every six minutes by day. The first ride is on Sunday, and free.</p></article>',
    ),
  ),
  saved(
    'article with a noscript that asks',
    page(
      'Bees',
      `<noscript>Please enable JavaScript to view the comments.</noscript><article><h1>Bees on the town hall</h1><p>Two hives on the roof gave forty kilos of honey this summer. It is sold at the information desk, a jar each, and the queue went round the corner.</p></article>${script('/comments.js')}`,
    ),
  ),
  saved(
    'first paragraph free, and enough of it',
    page(
      'Whose moor is it?',
      '<article><h1>Whose moor is it?</h1><p>For three centuries the commoners of Dalby cut peat on the moor and nobody asked for papers. Last spring a fund from London bought the title, put up gates and sent out letters. The commoners went to the county archive instead of to a lawyer, and came back with a map of 1764, on which every cutting has a name.</p><p>“They thought that we had nothing in writing,” says Ruth Pickering, whose cutting is called Long Tom. The hearing is in March.</p><p><a href="#">Subscribe to support our reporting</a></p></article>',
    ),
  ),
  saved(
    'comments with a turnstile',
    page(
      'Repair café',
      '<article><h1>Repair café</h1><p>On the first Saturday we mend toasters, lamps and bicycles in the parish hall. Bring the thing and what you know of it.</p></article><form><textarea name="c"></textarea><div class="cf-turnstile" data-sitekey="x"></div><button>Comment</button></form>',
      script('https://challenges.cloudflare.com/turnstile/v0/api.js'),
    ),
  ),
  saved(
    'site protected by a vendor, read',
    page(
      'Tides',
      '<h1>Tides at Whitby</h1><table><tr><td>High</td><td>04:12</td><td>5.1 m</td></tr><tr><td>Low</td><td>10:31</td><td>1.4 m</td></tr><tr><td>High</td><td>16:40</td><td>5.3 m</td></tr></table><script>(function(){var a=document.createElement("script");a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js";document.head.appendChild(a)})()</script>',
    ),
  ),
  saved(
    'blog with many scripts',
    page(
      'On sharpening',
      `<h1>On sharpening</h1><p>Stop when the burr turns over. Everything after that is vanity, and costs steel.</p>${script('/1.js')}${script('/2.js')}${script('/3.js')}${script('/4.js')}${script('/5.js')}`,
    ),
  ),
  saved(
    'event with sign-up form',
    divided(
      'de',
      'Vortrag',
      'Programm, Archiv, Verein',
      '<h1>Vortrag: Moore im Wandel</h1><p>Dr. Anke Reimers, Donnerstag 19 Uhr, Alte Schule. Eintritt frei, um Anmeldung wird gebeten.</p><form><input name="name" placeholder="Name"><input name="mail" placeholder="E-Mail"><button>Anmelden</button></form>',
      'Impressum',
    ),
  ),
  saved(
    'question and answer',
    divided(
      'en',
      'Why is my bread wet?',
      'Questions, Tags, Users, Log in, Sign up',
      '<h1>Why is my bread wet inside?</h1><p>I bake at 220 for half an hour and the crumb is gummy.</p><h2>1 answer</h2><p>Give it fifteen minutes more and let it cool before you cut. Gumminess is steam that had no time to leave.</p>',
      'Sign up to answer',
    ),
  ),
  saved(
    'encyclopaedia stub',
    divided(
      'en',
      'Kallax',
      'Main page, Contents, Random, Log in',
      '<h1>Kallax</h1><p>Kallax is a village near Luleå in Sweden with 312 inhabitants (2010). It is known for its airport and for sour herring.</p><p>This article about a place in Norrbotten is a stub. You can help by expanding it.</p>',
      'Text under a free licence',
    ),
  ),
  saved(
    'wiki page in Polish',
    divided(
      'pl',
      'Młyn w Dębnie',
      'Strona główna, Losowa, Zaloguj',
      '<h1>Młyn w Dębnie</h1><p>Drewniany młyn wodny z 1840 roku nad rzeką Myślą. Spłonął w 1921, odbudowany, czynny do 1968. Dziś mieści izbę pamięci.</p>',
      '',
    ),
  ),
  saved(
    'a user’s profile',
    divided(
      'en',
      'ferro',
      'Home, Explore, Sign in',
      '<h1>ferro</h1><p>Joined May 2016 · 41 projects · Turin</p><p>Small tools for old synthesizers. Schematics on request.</p><ul><li><a>juno-battery</a> 112 ★</li><li><a>dco-tester</a> 57 ★</li></ul>',
      '',
    ),
  ),
  saved(
    'thanks for registering',
    site(
      'Thank you',
      '<h1>Thank you for coming to the open day</h1><p>More than six hundred people saw the kiln fired. The pieces can be fetched from Wednesday. Photographs hang in the corridor, and the next firing is on 3 October.</p>',
    ),
  ),
  saved(
    'a guide to consent for researchers',
    site(
      'Consent forms',
      '<h1>Consent forms</h1><p>People who take part must agree in writing before they are interviewed. Tell them what is kept, for how long and who sees it. They may leave at any time and need not say why. A template is on the shared drive.</p>',
    ),
  ),
  saved(
    'a page with an error word in it',
    site(
      'Error budgets',
      '<h1>Error budgets</h1><p>A service that promises 99.9 % may fail for forty-three minutes a month. Spend them on releases. When they are gone, stop releasing and mend what breaks.</p>',
    ),
  ),
  saved(
    'robots in the garden',
    site(
      'Robot mowers',
      '<h1>Are robot mowers worth it?</h1><p>We let four of them loose on the same lawn for a summer. The cheapest got stuck under the bench, the dearest learnt to avoid the hedgehog. None could do the edges.</p>',
    ),
  ),
]

const data: readonly Saved[] = [
  saved(
    'API: one object',
    '{"id":7,"name":"kettle","stock":0,"price":{"amount":6400,"currency":"GBP"}}',
    'application/json',
  ),
  saved('API: empty list', '{"items":[],"total":0,"page":1}', 'application/json'),
  saved('API: health', '{"status":"ok"}', 'application/json'),
  saved(
    'API: problem types',
    '[{"code":"not_found","text":"There is no such order."},{"code":"rate_limited","text":"Too many requests."},{"code":"forbidden","text":"This key may not read orders."}]',
    'application/json',
  ),
  saved(
    'geo',
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[13.46,48.57]},"properties":{"name":"Passau"}}',
    'application/json',
  ),
  saved(
    'robots.txt',
    'User-agent: *\nDisallow: /private/\nDisallow: /login\nSitemap: https://www.example.com/sitemap.xml\n',
    'text/plain',
  ),
  saved(
    'security.txt',
    'Contact: mailto:security@example.com\nExpires: 2026-12-31T23:00:00.000Z\nPreferred-Languages: en, de\n',
    'text/plain',
  ),
  saved(
    'text of a licence',
    'Permission to use, copy, modify and distribute this software for any purpose with or without fee is hereby granted, provided that this notice appears in all copies.',
    'text/plain',
  ),
  saved(
    'log of a server',
    '2025-03-04 10:11:02 403 GET /admin blocked by rule 12\n2025-03-04 10:11:05 200 GET / ok\n2025-03-04 10:11:09 404 GET /favicon.ico not found\n',
    'text/plain',
  ),
  saved(
    'sitemap',
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.com/</loc></url><url><loc>https://www.example.com/about</loc></url></urlset>',
    'application/xml',
  ),
  saved(
    'a table of data in text',
    'station;level;time\nPassau;542;14:15\nLinz;389;14:15\nWien;310;14:30\n',
    'text/plain',
  ),
]

export const thirdHeldPages: readonly Saved[] = [
  ...notices,
  ...about,
  ...sparse,
  ...shops,
  ...furnished,
  ...data,
]
