// Real but odd pages of other kinds and languages than in the older sets. Written before any verdict on them was seen; half
// of them, by a hash of their names, stays unread (yield-set.test.ts).
import { page, type Saved, script, site } from './sample.fixture.ts'

const saved = (name: string, html: string, contentType?: string): Saved => ({
  name,
  html,
  ...(contentType === undefined ? {} : { contentType }),
})

const notices: readonly Saved[] = [
  saved(
    'water will be off, Hindi',
    page(
      'सूचना',
      '<h1>जल आपूर्ति सूचना</h1><p>सोमवार को सुबह नौ बजे से दोपहर तीन बजे तक मरम्मत के कारण वार्ड चार में पानी की आपूर्ति बंद रहेगी। कृपया आवश्यक पानी पहले से भर लें।</p>',
      '',
      'hi',
    ),
  ),
  saved(
    'market day moved, Thai',
    page(
      'ประกาศตลาดนัด',
      '<h1>เลื่อนวันตลาดนัด</h1><p>ตลาดนัดวันเสาร์ย้ายไปวันอาทิตย์ที่สิบสอง เวลาแปดโมงเช้าถึงบ่ายสอง ที่ลานหน้าวัด เนื่องจากถนนปิดซ่อม</p>',
      '',
      'th',
    ),
  ),
  saved(
    'pool hours, Hebrew',
    page(
      'שעות הבריכה',
      '<h1>שעות הבריכה בקיץ</h1><p>הבריכה פתוחה בימים ראשון עד חמישי משש בבוקר עד עשר בלילה. בימי שישי נסגרת בשעה ארבע. ילדים עד גיל שש נכנסים חינם בליווי הורה.</p>',
      '',
      'he',
    ),
  ),
  saved(
    'road works, Vietnamese',
    page(
      'Thông báo sửa đường',
      '<h1>Sửa đường Nguyễn Trãi</h1><p>Đường Nguyễn Trãi sẽ được sửa từ ngày 3 đến ngày 9 tháng 5. Xe máy có thể đi qua ngõ 14, ô tô đi theo đường vành đai. Xe buýt số 2 và 27 đổi tuyến.</p>',
      '',
      'vi',
    ),
  ),
  saved(
    'school closed, Danish',
    page(
      'Skolen lukker tidligt fredag',
      '<h1>Skolen lukker tidligt fredag</h1><p>På fredag slutter undervisningen klokken 12, fordi lærerne er på kursus. SFO’en har åbent som den plejer. Husk idrætstøj til mandag.</p>',
      '',
      'da',
    ),
  ),
  saved(
    'ferry cancelled, Norwegian',
    page(
      'Avgangen 14.30 er innstilt',
      '<h1>Avgangen 14.30 er innstilt</h1><p>På grunn av teknisk feil går ikke ferjen fra Halsa klokken 14.30. Neste avgang er 15.45. Vi beklager.</p>',
      '',
      'no',
    ),
  ),
  saved(
    'boil your water, Finnish',
    page(
      'Keitä juomavesi',
      '<h1>Keitä juomavesi</h1><p>Keskustan vesijohdossa on vuoto. Juomavesi on keitettävä perjantaihin asti. Lisätietoja antaa vesilaitos arkisin kello 8–16.</p>',
      '',
      'fi',
    ),
  ),
  saved(
    'lost cat',
    page(
      'Lost cat',
      '<h1>Lost: grey cat, white paws</h1><p>Missing since Sunday evening near Weir Lane. Answers to Pim. Chipped. Ring 555 0143, any hour.</p>',
    ),
  ),
  saved(
    'a company has moved',
    page(
      'We have moved',
      '<h1>We have moved</h1><p>Since 1 May you find us at 14 Quay Street, second floor. Our telephone number has not changed. Parking is behind the house.</p>',
    ),
  ),
  saved(
    'imprint, German',
    page(
      'Impressum',
      '<h1>Impressum</h1><p>Mühle Bachtal GmbH, Bachweg 4, 35037 Marburg. Geschäftsführerin: Petra Lang. Registergericht Marburg, HRB 4411. USt-IdNr. DE123456789.</p>',
      '',
      'de',
    ),
  ),
  saved(
    'legal notice, French',
    page(
      'Mentions légales',
      '<h1>Mentions légales</h1><p>Éditeur : SARL Moulin du Val, 3 rue du Pont, 21000 Dijon. Directrice de la publication : Anne Roux. Hébergeur : OVH, 2 rue Kellermann, 59100 Roubaix.</p>',
      '',
      'fr',
    ),
  ),
  saved(
    'cookie policy in full',
    site(
      'Cookie policy',
      '<h1>Cookie policy</h1><p>This policy says which cookies the shop sets and why.</p><h2>Necessary cookies</h2><p>The cookie brook_session holds your basket and ends when you close the browser. The cookie brook_consent holds what you chose for a year.</p><h2>Statistics</h2><p>With your consent we count visits. No address is kept whole. You may withdraw your consent under Settings.</p><table><tr><th>Name</th><th>Lasts</th></tr><tr><td>brook_session</td><td>session</td></tr><tr><td>brook_consent</td><td>one year</td></tr></table>',
    ),
  ),
  saved(
    'terms of a raffle',
    page(
      'Raffle terms',
      '<h1>Terms of the raffle</h1><ol><li>Anybody over 18 may take part once.</li><li>Entries close on 30 June.</li><li>The winner is drawn by lot and told by post.</li><li>The prize cannot be paid out.</li></ol>',
    ),
  ),
  saved(
    'a thank you after ordering',
    site(
      'Thank you',
      '<h1>Thank you for your order</h1><p>Order 10442 is confirmed. We send it on Thursday by parcel post to Mill Lane 4. A receipt is on its way to your inbox.</p>',
    ),
  ),
]

const data: readonly Saved[] = [
  saved(
    'an API answers an error',
    '{"error":{"code":"not_found","message":"No such invoice"}}',
    'application/json',
  ),
  saved(
    'an API answers a list',
    '[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]',
    'application/json',
  ),
  saved('an empty list', '[]', 'application/json'),
  saved('a number', '42', 'application/json'),
  saved(
    'an atom feed',
    '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Mill news</title><updated>2025-02-01T10:00:00Z</updated><entry><title>The wheel turns again</title><link href="https://mill.example/wheel"/><summary>After nine months of repairs the wheel turns.</summary></entry></feed>',
    'application/atom+xml',
  ),
  saved(
    'a sitemap',
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://mill.example/</loc></url><url><loc>https://mill.example/flour</loc></url></urlset>',
    'application/xml',
  ),
  saved(
    'a robots file',
    'User-agent: *\nDisallow: /private/\nSitemap: https://mill.example/sitemap.xml\n',
    'text/plain',
  ),
  saved(
    'a checksum',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  flour-1.2.tar.gz\n',
    'text/plain',
  ),
  saved(
    'a directory listing',
    '<html><head><title>Index of /pub</title></head><body><h1>Index of /pub</h1><pre><a href="../">../</a>\n<a href="flour-1.1.tar.gz">flour-1.1.tar.gz</a>  2024-03-01 10:00  114K\n<a href="flour-1.2.tar.gz">flour-1.2.tar.gz</a>  2024-09-12 08:31  120K\n</pre></body></html>',
  ),
  saved(
    'JSON shown as HTML',
    '<html><body><pre>{"status":"ok","uptime":8812,"version":"2.4.1","checks":{"db":"ok","queue":"ok"}}</pre></body></html>',
  ),
]

const tables: readonly Saved[] = [
  saved(
    'tide table',
    page(
      'Tides at Weir Point',
      `<h1>Tides at Weir Point</h1><table><tr><th>Day</th><th>High</th><th>Low</th></tr>${Array.from({ length: 12 }, (_each, day) => `<tr><td>${day + 1} May</td><td>0${day % 9}:1${day % 6}</td><td>1${day % 9}:4${day % 6}</td></tr>`).join('')}</table>`,
    ),
  ),
  saved(
    'exchange rates, Turkish',
    page(
      'Döviz kurları',
      '<h1>Döviz kurları</h1><table><tr><th>Birim</th><th>Alış</th><th>Satış</th></tr><tr><td>ABD doları</td><td>38,12</td><td>38,40</td></tr><tr><td>Euro</td><td>41,80</td><td>42,15</td></tr><tr><td>Sterlin</td><td>49,20</td><td>49,66</td></tr></table>',
      '',
      'tr',
    ),
  ),
  saved(
    'error codes of a dishwasher',
    page(
      'Dishwasher error codes',
      '<h1>Error codes</h1><table><tr><td>E1</td><td>Water does not run in: open the tap</td></tr><tr><td>E4</td><td>Overflow: call the service</td></tr><tr><td>E9</td><td>Door is not shut</td></tr></table>',
    ),
  ),
  saved(
    'league table, Polish',
    page(
      'Tabela ligi',
      '<h1>Tabela ligi</h1><table><tr><th>Drużyna</th><th>Mecze</th><th>Punkty</th></tr><tr><td>Wisła</td><td>12</td><td>27</td></tr><tr><td>Odra</td><td>12</td><td>24</td></tr><tr><td>Warta</td><td>12</td><td>20</td></tr></table>',
      '',
      'pl',
    ),
  ),
  saved(
    'opening hours only',
    page(
      'Hours',
      '<h1>Hours</h1><dl><dt>Monday to Friday</dt><dd>9 to 18</dd><dt>Saturday</dt><dd>10 to 14</dd><dt>Sunday</dt><dd>closed</dd></dl>',
    ),
  ),
  saved(
    'departures',
    page(
      'Departures',
      '<h1>Departures, Weir Street</h1><ul><li>14:02 Harbour, platform 2</li><li>14:09 University, platform 1</li><li>14:12 Airport, platform 4, delayed by 6 minutes</li></ul>',
    ),
  ),
  saved(
    'menu of a restaurant, Italian',
    page(
      'Menù',
      '<h1>Menù del giorno</h1><ul><li>Ribollita 9 €</li><li>Pici al ragù 12 €</li><li>Baccalà alla livornese 16 €</li><li>Cantucci e vin santo 6 €</li></ul><p>Coperto 2 €</p>',
      '',
      'it',
    ),
  ),
]

const changes: readonly Saved[] = [
  saved(
    'changelog of a library',
    page(
      'Changelog',
      '<h1>Changelog</h1><h2>2.1.0</h2><ul><li>Retry after status 429 and 503</li><li>Fix a leak in the pool</li></ul><h2>2.0.3</h2><ul><li>Say why access was denied</li></ul>',
    ),
  ),
  saved(
    'release, one line',
    page('v0.4.2', '<h1>v0.4.2</h1><p>Fixes a crash when the configuration file is empty.</p>'),
  ),
  saved(
    'answer on status 403',
    page(
      'nginx answers 403 for a folder',
      '<h1>nginx answers 403 Forbidden for a folder</h1><p>I get 403 Forbidden when I open /files, although the folder can be read by everyone.</p><h2>Answer</h2><p>Without an index file nginx refuses to list a folder. Add <code>autoindex on;</code> to the location, or put an index.html there.</p>',
    ),
  ),
  saved(
    'manual entry on captcha settings',
    site(
      'Captcha settings',
      '<h1>Captcha settings</h1><p>Under Forms, Protection you choose whether visitors solve a captcha before a message is sent. Three providers can be chosen: reCAPTCHA, hCaptcha and Turnstile. Paste the site key and the secret key, and press Save. Visitors that are logged in are not asked.</p>',
    ),
  ),
  saved(
    'how to allow cookies',
    site(
      'How to allow cookies',
      '<h1>How to allow cookies</h1><p>Our shop needs cookies for the basket. In Firefox open Settings, Privacy, and choose Standard. In Safari open Settings, Privacy, and clear Block all cookies. Then load the shop again. Nothing else has to be changed, and you can forbid them again after you ordered.</p>',
    ),
  ),
  saved(
    'man page',
    page(
      'true(1)',
      '<pre>NAME\n       true - do nothing, successfully\n\nSYNOPSIS\n       true [ignored command line arguments]\n\nDESCRIPTION\n       Exit with a status code indicating success.\n</pre>',
    ),
  ),
  saved(
    'a gist of code',
    page(
      'retry.py',
      '<h1>retry.py</h1><pre><code>def retry(call, times=3):\n    for attempt in range(times):\n        try:\n            return call()\n        except IOError:\n            if attempt == times - 1:\n                raise\n</code></pre>',
    ),
  ),
]

const forms: readonly Saved[] = [
  saved(
    'a currency converter',
    page(
      'Euro to krona',
      '<h1>Euro to krona</h1><form><label>Amount</label><input name="a" value="1"><select><option>EUR</option></select><button>Convert</button></form><p>1 euro is 11.24 krona. Rate of 4 March.</p>',
    ),
  ),
  saved(
    'a contact form with a captcha',
    page(
      'Contact',
      `<h1>Write to us</h1><p>We answer within two working days. For urgent matters ring 555 0177 between nine and five.</p><form><label>Name</label><input name="n"><label>Message</label><textarea></textarea><div class="h-captcha" data-sitekey="a"></div><button>Send</button></form>${script('https://js.hcaptcha.com/1/api.js')}`,
    ),
  ),
  saved(
    'a survey',
    page(
      'Reader survey',
      '<h1>Reader survey</h1><form><fieldset><legend>How often do you visit the library?</legend><label><input type="radio" name="q">Every week</label><label><input type="radio" name="q">Every month</label><label><input type="radio" name="q">Less often</label></fieldset><fieldset><legend>Which rooms do you use?</legend><label><input type="checkbox">Reading room</label><label><input type="checkbox">Music</label></fieldset><button>Send</button></form>',
    ),
  ),
  saved(
    'registration for a course',
    page(
      'Pottery for beginners',
      '<h1>Pottery for beginners</h1><p>Six evenings from 4 March, seven to nine, in the old fire station. 90 euros including clay. Eight places, two left.</p><form><input name="name" placeholder="Name"><input name="mail" placeholder="Email"><button>Register</button></form>',
    ),
  ),
  saved(
    'a home page with a login in its header',
    page(
      'Weir Rowing Club',
      '<header><form action="/login"><input name="u"><input type="password" name="p"><button>Log in</button></form></header><main><h1>Weir Rowing Club</h1><p>We row on Tuesdays and Thursdays at six in the evening, from April to October. Beginners may come along three times before they decide. Boats and oars are ours; bring clothes that may get wet and a second pair of socks.</p></main>',
    ),
  ),
  saved(
    'search without results, with advice',
    site(
      'Search: teapto',
      '<h1>14 results for teapot</h1><p>Nothing was found for “teapto”; here is what we have for teapot.</p><ul><li><a href="/t/1">Teapot Mill, one litre, 32 €</a></li><li><a href="/t/2">Teapot Weir, half a litre, 24 €</a></li><li><a href="/t/3">Teapot Quay, stoneware, 41 €</a></li></ul>',
    ),
  ),
]

const essays: readonly Saved[] = [
  saved(
    'poem, Hebrew',
    page(
      'שיר ערב',
      '<h1>שיר ערב</h1><p>הנהר עובר ליד הטחנה<br>והאבן נחה מעמל היום<br>רק הרוח עוד סובבת לאטה<br>ושרה לשדות את שיר החלום</p>',
      '',
      'he',
    ),
  ),
  saved(
    'recipe, Vietnamese',
    page(
      'Bánh mì chảo',
      '<h1>Bánh mì chảo</h1><h2>Nguyên liệu</h2><ul><li>2 quả trứng</li><li>1 ổ bánh mì</li><li>50 g pa tê</li></ul><h2>Cách làm</h2><p>Làm nóng chảo, cho bơ và pa tê vào, đập trứng lên trên, đậy nắp ba phút rồi ăn kèm bánh mì nóng.</p>',
      '',
      'vi',
    ),
  ),
  saved(
    'biography, Thai',
    page(
      'สมชาย ใจดี',
      '<h1>สมชาย ใจดี</h1><p>สมชาย ใจดี เป็นช่างไม้ชาวเชียงใหม่ เกิดเมื่อปี พ.ศ. 2490 เขาเริ่มทำเครื่องเรือนเมื่ออายุสิบห้าปี และเปิดร้านของตนเองใน พ.ศ. 2515</p>',
      '',
      'th',
    ),
  ),
  saved(
    'proverb of the day, Hindi',
    page(
      'आज का विचार',
      '<h1>आज का विचार</h1><blockquote>धीरे-धीरे रे मना, धीरे सब कुछ होय। माली सींचे सौ घड़ा, ऋतु आए फल होय।</blockquote>',
      '',
      'hi',
    ),
  ),
  saved(
    'news in brief, Arabic',
    page(
      'افتتاح الجسر الجديد',
      '<h1>افتتاح الجسر الجديد</h1><p>افتتح رئيس البلدية صباح اليوم الجسر الجديد فوق النهر بعد عامين من العمل. ويبلغ طول الجسر مئتي متر ويصل بين السوق القديمة والجامعة.</p>',
      '',
      'ar',
    ),
  ),
  saved(
    'dictionary entry: captcha',
    page(
      'captcha - Dictionary',
      '<h1>captcha</h1><p><i>noun</i></p><ol><li>a test which people pass and programs do not, shown before a form is accepted</li></ol><p>From: completely automated public Turing test to tell computers and humans apart. First used in 2000.</p>',
    ),
  ),
  saved(
    'film called Access Denied',
    page(
      'Access Denied (1997)',
      '<h1>Access Denied</h1><p>Thriller, 94 minutes. A locksmith is hired to open a vault that nobody may know of. With Ruth Ames and Carl Dow. Directed by Lea Marsh. Rated 12.</p>',
    ),
  ),
  saved(
    'song called Not Found',
    page(
      'Not Found - lyrics',
      '<h1>Not Found</h1><p>I looked in the attic, I looked by the stair<br>I looked in the pockets of coats that you wear<br>The letters you promised, the ring and the gown<br>Were nowhere, were nowhere, were nowhere in town</p>',
    ),
  ),
  saved(
    'report on a strike of robots',
    site(
      'Are you a robot? The question nobody can answer',
      '<article><h1>Are you a robot? The question nobody can answer</h1><p>On Monday forty actors dressed as robots stood before the town hall and asked everybody who passed whether they were human. Most people laughed. One man, who had been a lift operator for thirty years, thought about it for a while. Verify you are human, the actors said, and held out a square of cardboard. He put his thumb on it, and they let him pass.</p></article>',
    ),
  ),
  saved(
    'a product in stock',
    site(
      'Teapot Weir',
      '<h1>Teapot Weir</h1><p>24,00 €</p><p>Stoneware with a lid of oak. Holds half a litre. Safe in the dishwasher; take the lid off first.</p><button>Add to basket</button>',
    ),
  ),
  saved(
    'a page that also wants subscribers',
    site(
      'Ferry strike ends',
      '<article><h1>Ferry strike ends</h1><p>The ferries sail again from Thursday. Company and union agreed late on Tuesday on four per cent more pay and on a second officer for each night crossing. The islands had gone without regular crossings for sixteen days. The hotels expect their first guests on Saturday, and the dairies on the outer islands begin to deliver tomorrow. “We should have had this agreement in the first week,” said the minister. Nobody at the table disagreed with her.</p></article><aside><h2>Subscribe to our letter</h2><p>Already a subscriber? Log in.</p></aside>',
    ),
  ),
  saved(
    'a list of links, and meant so',
    page(
      'My blogroll',
      '<h1>Blogs I read</h1><ul><li><a href="https://a.example">Notes from a mill</a></li><li><a href="https://b.example">Clay and glaze</a></li><li><a href="https://c.example">The slow river</a></li><li><a href="https://d.example">Bread on Sundays</a></li><li><a href="https://e.example">A hedge a year</a></li></ul>',
    ),
  ),
  saved(
    'a card of a person',
    page(
      'Ada Lowe',
      '<h1>Ada Lowe</h1><p>Bookbinder in Leeds. Repairs, boxes, small editions.</p><p>ada@lowe.example</p>',
    ),
  ),
  saved(
    'status of an order, Japanese',
    page(
      'ご注文状況',
      '<h1>ご注文状況</h1><p>ご注文番号 1182 の商品は三月四日に発送されました。お届け予定日は三月六日の午前中です。</p>',
      '',
      'ja',
    ),
  ),
  saved(
    'chapter of a book, Russian',
    page(
      'Глава первая',
      '<h1>Глава первая</h1><p>Мельница стояла у самой реки, и по утрам туман поднимался до второго окна. Мельник просыпался рано, пил чай без сахара и шёл считать мешки.</p>',
      '',
      'ru',
    ),
  ),
  saved(
    'an application with its page rendered',
    `<html><head><title>Weather in Leeds</title>${script('/a.js')}</head><body><div id="__next"><main><h1>Leeds</h1><p>Now 11 degrees, light rain, wind from the west at 20 km/h. Tomorrow 13 degrees and dry until evening.</p></main></div>${script('/b.js')}${script('/c.js')}</body></html>`,
  ),
]

export const secondHeldPages: readonly Saved[] = [
  ...notices,
  ...data,
  ...tables,
  ...changes,
  ...forms,
  ...essays,
]
