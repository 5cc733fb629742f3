// Real but odd pages: short ones, those with words or parts of walls in them, those in other languages and formats.
import { page, type Saved, script, site } from './sample.fixture.ts'

const body = (text: string) =>
  text
    .split('\n')
    .map((line) => (line.startsWith('# ') ? `<h1>${line.slice(2)}</h1>` : `<p>${line}</p>`))
    .join('')

export const oddPages: readonly Saved[] = [
  {
    name: 'like example.com',
    html: page(
      'Example Domain',
      '<div><h1>Example Domain</h1><p>This domain is meant for illustrative examples in documents. Use it in literature without asking first.</p><p><a href="https://www.iana.org/domains/example">More information...</a></p></div>',
    ),
  },
  { name: 'JSON list', html: '[1,2,3]', contentType: 'application/json' },
  { name: 'JSON error that is data', html: '{"error":null}', contentType: 'application/json' },
  {
    name: 'RSS',
    html: '<?xml version="1.0"?><rss version="2.0"><channel><title>Mill</title><link>https://m.example</link><description>News</description><item><title>One</title></item></channel></rss>',
    contentType: 'application/rss+xml',
  },
  {
    name: 'sitemap',
    html: '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://m.example/</loc></url></urlset>',
    contentType: 'application/xml',
  },
  { name: 'robots.txt', html: 'User-agent: *\nDisallow: /admin\n', contentType: 'text/plain' },
  {
    name: 'a price list',
    html: page(
      'Prices',
      '<h1>Prices</h1><table><tr><td>Cut</td><td>€25</td></tr><tr><td>Cut and wash</td><td>€32</td></tr><tr><td>Colour</td><td>€48</td></tr><tr><td>Beard</td><td>€14</td></tr></table><p>Cash or card. Children half price.</p>',
    ),
  },
  {
    name: 'a table of results',
    html: page(
      'League table',
      '<h1>League table</h1><table><tr><th>Club</th><th>Played</th><th>Points</th></tr><tr><td>Harbour FC</td><td>12</td><td>27</td></tr><tr><td>Mill Town</td><td>12</td><td>24</td></tr><tr><td>Rovers</td><td>12</td><td>19</td></tr></table>',
    ),
  },
  {
    name: 'Chinese article',
    html: page(
      '古镇的石桥',
      body(
        '# 古镇的石桥\n石桥建于明代，全长二十余米，至今仍是镇上居民往来的要道。每逢集市，桥上摆满了竹器、茶叶和新鲜蔬菜。去年夏天的洪水冲坏了桥栏，镇里请来老石匠按原样修复，整整用了三个月。',
      ),
      '',
      'zh',
    ),
  },
  {
    name: 'Chinese article on captchas',
    html: page(
      '验证码的历史',
      body(
        '# 验证码的历史\n验证码最早出现在二十世纪末，用来区分真人和程序。网站要求访问者辨认扭曲的字母，后来变成挑选图片或拖动滑块。随着图像识别技术的进步，这些题目对机器越来越容易，对人却越来越难，因此许多网站转而观察浏览器的行为，不再出题。',
      ),
      '',
      'zh',
    ),
  },
  {
    name: 'Korean notice',
    html: page(
      '도서관 휴관 안내',
      body(
        '# 도서관 휴관 안내\n다음 주 월요일은 난방 시설 교체로 도서관이 문을 닫습니다. 반납 기한이 월요일인 책은 화요일까지 반납하시면 연체료가 없습니다. 이층 열람실은 수요일 오전 아홉 시에 다시 엽니다.',
      ),
      '',
      'ko',
    ),
  },
  {
    name: 'Arabic notice',
    html: page(
      'مواعيد المتحف',
      `<div dir="rtl">${body('# مواعيد المتحف\nيفتح المتحف أبوابه للزوار من الساعة التاسعة صباحًا حتى الخامسة مساءً كل يوم ما عدا الاثنين. الدخول مجاني للأطفال دون الثانية عشرة. يمكن حجز جولة مع مرشد عبر الهاتف قبل يوم واحد على الأقل.')}</div>`,
      '',
      'ar',
    ),
  },
  {
    name: 'Persian notice',
    html: page(
      'برنامه کتابخانه',
      `<div dir="rtl">${body('# برنامه کتابخانه\nکتابخانه شهر از شنبه تا چهارشنبه از ساعت هشت صبح تا هفت شب باز است. پنجشنبه‌ها تا ظهر در خدمت شما هستیم. برای عضویت کارت شناسایی و یک عکس همراه داشته باشید.')}</div>`,
      '',
      'fa',
    ),
  },
  {
    name: 'Thai article',
    html: page(
      'สะพานไม้เก่า',
      body(
        '# สะพานไม้เก่า\nสะพานไม้ข้ามแม่น้ำสายนี้สร้างขึ้นเมื่อร้อยปีก่อนชาวบ้านใช้เดินทางไปตลาดทุกเช้าเมื่อปีที่แล้วน้ำท่วมใหญ่พัดพาส่วนหนึ่งของสะพานไปทุกคนช่วยกันซ่อมแซมจนเสร็จภายในหนึ่งเดือน',
      ),
      '',
      'th',
    ),
  },
  {
    name: 'Greek notice',
    html: page(
      'Ώρες λειτουργίας',
      body(
        '# Ώρες λειτουργίας\nΤο μουσείο είναι ανοιχτό καθημερινά από τις εννέα το πρωί έως τις πέντε το απόγευμα, εκτός Δευτέρας. Η είσοδος είναι δωρεάν για παιδιά. Οι ξεναγήσεις ξεκινούν κάθε δύο ώρες.',
      ),
      '',
      'el',
    ),
  },
  {
    name: 'Finnish notice',
    html: page(
      'Uimahalli',
      body(
        '# Uimahalli avataan\nUimahalli avataan remontin jälkeen maanantaina kello seitsemän. Lipunmyynti alkaa puoli tuntia aikaisemmin. Kahvila on toistaiseksi suljettu.',
      ),
      '',
      'fi',
    ),
  },
  {
    name: 'Vietnamese notice',
    html: page(
      'Chợ nổi',
      body(
        '# Chợ nổi cuối tuần\nChợ nổi mở cửa thứ bảy và chủ nhật từ năm giờ sáng. Du khách có thể thuê thuyền để tham quan vườn trái cây. Giá vé năm mươi nghìn đồng một người.',
      ),
      '',
      'vi',
    ),
  },
  {
    name: 'Japanese short',
    html: page(
      '駅前食堂',
      body(
        '# 駅前食堂\n営業時間は午前十一時から午後八時まで、木曜定休。日替わり定食は八百円、コーヒー付きです。駅の北口から歩いて三分。',
      ),
      '',
      'ja',
    ),
  },
  {
    name: 'how-to on a Cloudflare error',
    html: site(
      'How to fix Error 1020 Access denied',
      body(
        '# How to fix "Error 1020: Access denied"\nYou open a site and see "Sorry, you have been blocked", a Ray ID and "Performance & security by Cloudflare". A firewall rule of the owner matched your request.\nTurn off the VPN first, since shared addresses are often listed. Then clear the cookies of that site only, and look at your extensions: those that change the user agent are the usual cause. If all of that fails, write to the owner and quote the Ray ID, for nobody else can lift the rule.',
      ),
    ),
  },
  {
    name: 'documentation of a challenge script',
    html: page(
      'Challenge pages - developer notes',
      `<h1>Challenge pages</h1><p>The page sets <code>window._cf_chl_opt</code> and loads <code>/cdn-cgi/challenge-platform/h/b/orchestrate</code>. When the browser passes, a <code>cf_clearance</code> cookie is set and the page is loaded anew.</p><pre><code>&lt;div class="cf-turnstile" data-sitekey="..."&gt;&lt;/div&gt;\n&lt;script src="https://challenges.cloudflare.com/turnstile/v0/api.js"&gt;&lt;/script&gt;</code></pre><p>Other vendors work alike: <code>px-captcha</code>, <code>captcha-delivery.com</code>, <code>_Incapsula_Resource</code>.</p>`,
    ),
  },
  {
    name: 'forum thread on being blocked',
    html: page(
      'Access denied on my own site? - Forum',
      '<h1>Access denied on my own site?</h1><div class="post"><b>kim</b><p>Since yesterday I get "Access denied. You have been blocked" and "Please verify you are a human" on my own shop. Reference #18.2d351ab8.1557333295.a4e16ab. Any idea?</p></div><div class="post"><b>joe</b><p>That is Akamai. Ask your host for the rule that fired, the number tells them. My bet is the new address of your office.</p></div><div class="post"><b>kim</b><p>It was. Solved, thank you.</p></div>',
    ),
  },
  {
    name: 'consent banner and content',
    html: page(
      'Ferry times',
      '<div id="onetrust-banner-sdk"><h2>We value your privacy</h2><p>We and our 812 partners store cookies to personalise content and ads. Accept all cookies, or manage your choices.</p><button>Accept all</button><button>Reject all</button></div><h1>Ferry times</h1><p>The ferry leaves the island at 7:10, 9:40, 13:00 and 17:20, and comes back an hour later. In gales it stays in harbour. Bicycles go free; cars need a ticket from the kiosk.</p>',
    ),
  },
  {
    name: 'login page that explains',
    html: page(
      'Parents’ portal',
      '<h1>Parents’ portal</h1><p>Here you report a child as ill, order lunches and read the letters of the school. Your account is the address that you gave when your child was enrolled; the first password came by post. If the letter is lost, the office sends another: call 0555 123 between eight and twelve. The lunches for next week must be ordered by Thursday noon.</p><form method="post"><input name="user"><input type="password" name="pw"><button>Log in</button></form>',
    ),
  },
  {
    name: 'changelog',
    html: page(
      'Release notes',
      '<h1>Release notes</h1><h2>1.4</h2><ul><li>Fixed: "page not found" after renaming</li><li>Fixed: login loop</li><li>Faster start</li></ul><h2>1.3</h2><ul><li>New: Turkish</li></ul>',
    ),
  },
  {
    name: 'code listing',
    html: page(
      'sort.c',
      '<pre>void sort(int *a, int n) {\n  for (int i = 1; i &lt; n; i++) {\n    int x = a[i], j = i;\n    while (j &gt; 0 &amp;&amp; a[j - 1] &gt; x) { a[j] = a[j - 1]; j--; }\n    a[j] = x;\n  }\n}</pre>',
    ),
  },
  {
    name: 'haiku',
    html: page(
      'Haiku',
      '<h1>Frost</h1><p>On the empty bench<br>two gloves hold hands all morning<br>until the sun comes.</p>',
    ),
  },
  {
    name: 'contact page',
    html: page(
      'Contact',
      '<h1>Contact</h1><p>Mill Museum, 4 Brook Lane, Hemmen. Telephone +31 555 0123, e-mail office@mill.example. Open by appointment.</p>',
    ),
  },
  {
    name: 'events',
    html: page(
      'Events in May',
      '<h1>Events in May</h1><ul><li>3 May, 20:00 — String quartet, town hall, €12</li><li>9 May, 19:30 — Reading with Eva Blom, library, free</li><li>17 May, 10:00 — Plant swap, school yard</li><li>31 May — Mill day</li></ul>',
    ),
  },
  {
    name: 'glossary',
    html: page(
      'Glossary',
      '<h1>Glossary</h1><dl><dt>Sluice</dt><dd>A gate that holds or lets water.</dd><dt>Race</dt><dd>The channel that leads water to the wheel.</dd><dt>Tail</dt><dd>The channel that leads it away.</dd></dl>',
    ),
  },
  {
    name: 'glossary of errors',
    html: page(
      'HTTP errors',
      '<h1>HTTP errors</h1><dl><dt>404 Not Found</dt><dd>The page does not exist.</dd><dt>429 Too Many Requests</dt><dd>The client is too fast and should wait.</dd><dt>502 Bad Gateway</dt><dd>The server behind the proxy gave no valid answer.</dd><dt>503 Service Unavailable</dt><dd>Overload, or maintenance.</dd></dl>',
    ),
  },
  {
    name: 'a car called 404',
    html: page(
      'Peugeot 404',
      body(
        '# Peugeot 404\nThe Peugeot 404 is a family car built from 1960 to 1975. Pininfarina drew it. It was sold as saloon, estate, coupé and pickup, and was built in Kenya until 1991.',
      ),
    ),
  },
  {
    name: 'a novel called Access Denied',
    html: site(
      'Access Denied, by Ruth Hale | Brookfield',
      '<h1>Access Denied</h1><p>Ruth Hale. Paperback, 312 pages. £8.99</p><p>A porter in a bank finds a door that opens for nobody, and a list with her name. The second case for Inspector Moor, set in the winter of 1978.</p><p>In stock. Sent within two days.</p>',
    ),
  },
  {
    name: 'a job advertisement for maintenance',
    html: page(
      'Maintenance engineer wanted',
      body(
        '# Maintenance engineer wanted\nWe look after lifts in forty buildings and need a second pair of hands. You plan scheduled maintenance, answer calls from people stuck between floors, and keep calm. Permanent, 36 hours, van provided. Write to jobs@lift.example by 1 June.',
      ),
    ),
  },
  {
    name: 'announcement of maintenance',
    html: page(
      'Planned maintenance on 4 May',
      body(
        '# Planned maintenance on 4 May\nOn Sunday, 4 May, from 02:00 to 05:00 the customer area will be unavailable while we move the database to new machines. Card payments and the telephone line are not affected. Orders placed before midnight are shipped on Monday as usual.',
      ),
    ),
  },
  {
    name: 'password article',
    html: page(
      'Choosing a password',
      '<article><h1>Choosing a password</h1><p>Four words that have nothing to do with each other are easy to remember and hard to guess. Add a number only if the site insists. Try it:</p><input type="password" id="try"><p>The bar shows how many guesses it would take. Nothing is sent anywhere.</p></article>',
    ),
  },
  {
    name: 'signup page of a newsletter',
    html: page(
      'The Tuesday letter',
      '<h1>The Tuesday letter</h1><p>One essay a week on gardens, bread and slow trains, written by Ida Blom since 2016. Eleven thousand people read it on Tuesday mornings. Free; leave whenever you like.</p><form><input type="email" name="email"><button>Subscribe</button></form>',
    ),
  },
  {
    name: 'article with a subscription box',
    html: page(
      'The last ferryman',
      '<article><h1>The last ferryman</h1><p>Every morning at six Piet Maas unties the rope that his grandfather tied. Nine people crossed yesterday, and a dog. When the bridge opens in autumn there will be nobody to carry, and the municipality has offered him a place in the museum, next to the boat.</p><p>"I would be the only exhibit that goes home for lunch," he says. He has until October to decide. The rope, he thinks, should stay where it is.</p></article><aside><h2>Subscribe</h2><p>Already a subscriber? Log in. Subscribe for full access from €1.</p></aside>',
    ),
  },
  {
    name: 'list of links',
    html: page(
      'Links',
      '<h1>Links</h1><ul><li><a href="https://a.example">Mills of the north</a></li><li><a href="https://b.example">Society of millers</a></li><li><a href="https://c.example">Flour and bread museum</a></li><li><a href="https://d.example">Water wheels, a catalogue</a></li><li><a href="https://e.example">Milling schools in Europe</a></li></ul>',
    ),
  },
  {
    name: 'weather',
    html: page(
      'Hemmen weather',
      '<h1>Hemmen</h1><p>Now 14 °C, light rain. Wind south-west 5 m/s. Tomorrow 17 °C, dry, some sun in the afternoon.</p>',
    ),
  },
  {
    name: 'a package page',
    html: page(
      'left-trim',
      '<h1>left-trim</h1><p>1.0.2 · MIT · published 2 years ago</p><pre><code>npm install left-trim</code></pre><p>Removes white space from the start of a string.</p>',
    ),
  },
  {
    name: 'server-rendered Vue with state',
    html: page(
      'Apartment 12',
      `<div id="app" data-server-rendered="true"><h1>Apartment 12, Canal Row</h1><p>Two rooms, 54 m², third floor with lift, balcony to the south. Rent €980 without heating. Free from 1 July. Viewing on Saturdays by appointment.</p></div><script>window.__INITIAL_STATE__={"id":12,"captcha":false}</script>${script('/app.js')}`,
    ),
  },
  {
    name: 'page with invisible reCAPTCHA and Akamai sensor',
    html: site(
      'Wool socks | Brookfield',
      `<h1>Wool socks</h1><p>£9.50</p><p>Knitted from Shetland wool in four sizes. Wash cold, dry flat.</p><div class="g-recaptcha" data-size="invisible" data-sitekey="6L"></div>${script('https://www.google.com/recaptcha/api.js')}${script('/akam/13/5ab1')}${script('/_Incapsula_Resource?SWJIYLWA=719d34')}`,
    ),
  },
  {
    name: 'privacy notice on cookies',
    html: page(
      'Cookies on this site',
      body(
        '# Cookies on this site\nThis site sets one cookie, which remembers the language you chose. It holds two letters, goes to nobody else and is deleted after a year. We use no cookies for advertising and have no partners. If your browser refuses cookies, everything works and you choose the language each time.',
      ),
    ),
  },
  {
    name: 'travel rules by region',
    html: page(
      'Where the pass is valid',
      body(
        '# Where the pass is valid\nThe pass is valid on all regional trains and buses. It is not available in your region if you live outside the three provinces; visitors buy the day ticket instead. Dogs travel free, bicycles pay two euros.',
      ),
    ),
  },
  {
    name: 'robots, a toy shop',
    html: site(
      'Robots for children | Brookfield',
      '<h1>Robots for children</h1><p>Are you a robot? This one is: it walks, blinks and answers when it is spoken to. From eight years on. Needs three batteries, which are not included. £24.</p>',
    ),
  },
]
