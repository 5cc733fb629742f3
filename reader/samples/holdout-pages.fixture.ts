// Real but odd pages that were written before the rules were read. New rules are not made for these.
import { page, type Saved, script, site } from './sample.fixture.ts'

export const heldPages: readonly Saved[] = [
  {
    name: 'a notice of sixty words',
    html: page(
      'Library closed on Monday',
      '<h1>Library closed on Monday</h1><p>The library in Mill Street stays closed on Monday, 3 March, because the heating is being replaced. Books that are due on that day may be returned on Tuesday without a fee. The reading room on the second floor opens again on Wednesday at nine. The book drop beside the main door remains in use all week.</p>',
    ),
  },
  {
    name: 'an article about captchas and Cloudflare',
    html: site(
      'Why captchas are going away',
      '<article><h1>Why captchas are going away</h1><p>For twenty years a captcha was the usual answer to bots: prove that you are human, then go on. Today services such as Cloudflare, DataDome and Akamai look at the connection first, and show "Just a moment..." or "Checking your browser" only to the few that look odd.</p><p>A reader who sees "Access denied" or "Please enable JavaScript and cookies to continue" has usually met such a service. Press and hold, pick the traffic lights, slide the piece: the puzzles differ, but each costs people time. According to one survey a visitor loses half a minute with each.</p><p>Browsers now offer tokens that say nothing about who you are, and yet tell the site that someone vouches for you. Whether that is better for those who read the web with small or unusual programs remains to be seen.</p></article>',
    ),
  },
  {
    name: 'an area code',
    html: page(
      'Area code 404 - Atlanta, Georgia',
      '<h1>Area code 404</h1><p>Area code 404 serves the city of Atlanta and its closest suburbs. It is one of the 86 codes assigned in 1947, when it covered all of Georgia. The outer suburbs moved to 770 in 1995, and 678 was laid over both in 1998.</p>',
    ),
  },
  {
    name: 'a Turnstile widget in a comment form',
    html: page(
      'Pruning old apple trees',
      `<article><h1>Pruning old apple trees</h1><p>Begin in late winter, when the shape is easy to see. Take out dead wood first, then branches that rub, then no more than a fifth of the crown. A tree that has been left alone for ten years needs three winters to come back into shape; a hurried one answers with a forest of water shoots.</p></article><section><h2>Comments</h2><p>Ida: Thank you, mine looks better already.</p><form method="post" action="/comments"><textarea name="text"></textarea><div class="cf-turnstile" data-sitekey="0x4AAA"></div><button>Send</button></form></section>${script('https://challenges.cloudflare.com/turnstile/v0/api.js')}`,
    ),
  },
  {
    name: 'a status page',
    html: page(
      'Brook status',
      '<h1>All systems operational</h1><ul><li>API: operational</li><li>Website: operational</li><li>Webhooks: operational</li></ul><h2>Past incidents</h2><h3>12 March</h3><p>Between 10:02 and 10:31 UTC some requests were answered with 502 Bad Gateway or 503 Service Unavailable. A faulty release was rolled back.</p><h3>11 March</h3><p>No incidents reported.</p>',
    ),
  },
  {
    name: 'a password-strength article with a password form',
    html: page(
      'How strong is your password?',
      '<h1>How strong is your password?</h1><p>Length beats cleverness: four common words in a row take longer to guess than eight characters with a digit in the middle. Type one below to see how long a fast computer would need; it does not leave your browser.</p><form><label>Password <input type="password" name="p"></label></form><p>Never use the same one twice. A manager remembers them for you.</p>',
    ),
  },
  { name: 'JSON', html: '{"id":7,"name":"Mill","open":true}', contentType: 'application/json' },
  {
    name: 'an Atom feed',
    html: '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Mill news</title><id>urn:x:1</id><updated>2025-03-01T00:00:00Z</updated><entry><title>New wheel</title><id>urn:x:2</id><updated>2025-03-01T00:00:00Z</updated><summary>The wheel turns again.</summary></entry></feed>',
    contentType: 'application/atom+xml',
  },
  {
    name: 'Japanese notice',
    html: page(
      '年末年始の営業のお知らせ',
      '<h1>年末年始の営業のお知らせ</h1><p>誠に勝手ながら、十二月三十日から一月三日まで休業いたします。期間中にいただいたご注文は、一月四日以降に順次発送いたします。お急ぎの方は二十八日の正午までにお申し込みください。ご不便をおかけしますが、よろしくお願いいたします。</p>',
      '',
      'ja',
    ),
  },
  {
    name: 'Hindi article',
    html: page(
      'गाँव का पुराना पुल',
      '<h1>गाँव का पुराना पुल</h1><p>नदी पर बना यह पुल सौ साल से भी पुराना है। हर सुबह किसान इसी रास्ते से अपनी सब्ज़ियाँ बाज़ार तक ले जाते हैं। पिछली बरसात में इसका एक हिस्सा बह गया था, लेकिन लोगों ने मिलकर उसे एक महीने में ठीक कर दिया। अब पंचायत यहाँ नया पुल बनाने की योजना बना रही है।</p>',
      '',
      'hi',
    ),
  },
  {
    name: 'Thai notice',
    html: page(
      'ตลาดน้ำเปิดวันเสาร์',
      '<h1>ตลาดน้ำเปิดวันเสาร์</h1><p>ตลาดน้ำริมคลองเปิดทุกวันเสาร์และวันอาทิตย์ตั้งแต่แปดโมงเช้าถึงสี่โมงเย็นมีอาหารพื้นบ้านผลไม้สดและงานฝีมือจากชาวบ้านผู้มาเยือนสามารถนั่งเรือชมสวนได้ในราคาคนละห้าสิบบาทที่จอดรถอยู่หลังวัด</p>',
      '',
      'th',
    ),
  },
  {
    name: 'Hebrew notice',
    html: page(
      'שעות פתיחה חדשות',
      '<div dir="rtl"><h1>שעות פתיחה חדשות</h1><p>החל מיום ראשון הקרוב תיפתח הספרייה העירונית בשעה שמונה בבוקר ותיסגר בשעה שבע בערב. ביום שישי נהיה פתוחים עד הצהריים בלבד. אולם הקריאה בקומה השנייה יישאר סגור עד סוף החודש בשל עבודות צביעה.</p></div>',
      '',
      'he',
    ),
  },
  {
    name: 'a poem',
    html: page(
      'Low tide',
      '<h1>Low tide</h1><p>The boats lie down<br>like tired dogs,<br>their ropes gone slack,<br>their names in mud.</p><p>Someone is calling<br>a child from the rocks.<br>The sea, who took everything,<br>brings it back.</p>',
    ),
  },
  {
    name: 'a table of tides',
    html: page(
      'Tides at Port Ellen',
      '<h1>Tides at Port Ellen</h1><table><thead><tr><th>Day</th><th>High</th><th>Low</th></tr></thead><tbody><tr><td>Mon</td><td>05:12</td><td>11:40</td></tr><tr><td>Tue</td><td>05:58</td><td>12:22</td></tr><tr><td>Wed</td><td>06:41</td><td>13:01</td></tr><tr><td>Thu</td><td>07:20</td><td>13:44</td></tr></tbody></table>',
    ),
  },
  {
    name: 'a login form in the header',
    html: page(
      'Bicycle club forum',
      '<header><form action="/login" method="post"><input name="user" placeholder="User"><input type="password" name="pw" placeholder="Password"><button>Log in</button></form></header><h1>Sunday ride, 9 March</h1><p><b>rolf</b>: We meet at the station at ten and ride along the canal to Hemmen, 62 km in all. Bring lights, the tunnel is dark.</p><p><b>mia</b>: Is the pace all right for beginners?</p><p><b>rolf</b>: Yes, we wait at each bridge.</p>',
    ),
  },
  {
    name: 'a cookie banner above a recipe',
    html: page(
      'Lentil soup',
      '<div class="cookie-banner" role="dialog"><p>We use cookies to improve your visit. Accept all or choose.</p><button>Accept all</button><button>Reject</button></div><h1>Lentil soup</h1><p>Serves four. Takes forty minutes.</p><ul><li>250 g red lentils</li><li>2 onions</li><li>3 carrots</li><li>1 l stock</li><li>1 lemon</li></ul><ol><li>Soften the onions in oil.</li><li>Add carrots, lentils and stock, and simmer for half an hour.</li><li>Season with lemon.</li></ol>',
    ),
  },
  {
    name: 'a short question and answer',
    html: page(
      'How do I exit vim?',
      '<h1>How do I exit vim?</h1><div class="question"><p>I opened a file and cannot leave.</p></div><div class="answer"><p>Press Escape, type <code>:q!</code> and press Enter. That leaves without saving. <code>:wq</code> saves first.</p></div>',
    ),
  },
  {
    name: 'documentation of status 403',
    html: page(
      '403 Forbidden - HTTP reference',
      '<nav><a href="/http">HTTP</a> <a href="/http/status">Status</a></nav><h1>403 Forbidden</h1><p>The server understood the request but refuses to carry it out. Unlike 401 Unauthorized, to authenticate anew makes no difference.</p><h2>Example</h2><pre><code>HTTP/1.1 403 Forbidden\nContent-Type: text/html\n\nAccess denied</code></pre><p>Send 404 instead when even the existence of the page is private.</p>',
    ),
  },
  {
    name: 'a contact page with a captcha',
    html: page(
      'Contact - Dr Weber, dentist',
      `<h1>Contact</h1><p>Dr Weber, dentist<br>Lindenstraße 4, 50674 Köln<br>Telephone 0221 555 01 23</p><p>Monday to Friday, 8 to 12 and 14 to 18; closed on Wednesday afternoons.</p><form method="post"><input name="name"><input name="email"><textarea name="message"></textarea><div class="g-recaptcha" data-sitekey="6Lc"></div><button>Send</button></form>${script('https://www.google.com/recaptcha/api.js')}`,
    ),
  },
  {
    name: 'a product behind DataDome and PerimeterX, let through',
    html: site(
      'Canvas bag, olive | Brookfield',
      '<h1>Canvas bag, olive</h1><p class="price">£39.00</p><p>A roomy bag of waxed canvas with leather handles and a brass zip. Holds a laptop of 15 inches. Wipe clean with a damp cloth.</p><ul><li>Height 38 cm</li><li>Width 45 cm</li><li>Weight 900 g</li></ul><button>Add to basket</button>',
      `${script('https://js.datadome.co/tags.js')}<script>window._pxAppId="PXabc123";window.ddjskey="ABC";</script>`,
    ),
  },
  {
    name: 'a page about 404 pages',
    html: page(
      '12 fine 404 pages',
      '<h1>12 fine 404 pages</h1><p>"Page not found" need not be the end. The best error pages say what happened, in plain words, and offer a way on: a search field, the most read articles, or a joke. We collected a dozen from museums, railways and small shops.</p><p>The one of the railway shows a train that has left the rails. The museum shows an empty frame.</p>',
    ),
  },
  {
    name: 'opening hours',
    html: page(
      'Café Anker',
      '<h1>Café Anker</h1><p>Open Tuesday to Sunday, 9:00–18:00. Harbour Street 12. Breakfast until noon, cake all day, dogs welcome.</p>',
    ),
  },
  {
    name: 'a changelog',
    html: page(
      'Changelog',
      '<h1>Changelog</h1><h2>2.3.1</h2><ul><li>Fix: 500 Internal Server Error on empty uploads</li><li>Fix: session has expired too early</li></ul><h2>2.3.0</h2><ul><li>Add dark mode</li><li>Require login for exports</li><li>Rate limit exceeded errors now carry Retry-After</li></ul>',
    ),
  },
  {
    name: 'code',
    html: page(
      'fib.py',
      '<h1>fib.py</h1><pre><code>def fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n\nprint([fib(n) for n in range(10)])\n</code></pre>',
    ),
  },
  {
    name: 'an app with its state and its page',
    html: page(
      'Bus 12',
      `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"><h1>Bus 12, Central Station to Harbour</h1><p>Every ten minutes on weekdays between six and twenty; every twenty minutes at weekends and in the evening. Last bus from the harbour at 00:35.</p></div><script>window.__STATE__={"line":12}</script>${script('/static/js/main.9a.js')}`,
    ),
  },
]
