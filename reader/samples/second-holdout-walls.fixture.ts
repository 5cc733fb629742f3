// Walls, shells, error pages, logins and consent dialogs of other makers, wordings and languages than in the older sets.
// Written before any verdict on them was seen; half of them, by a hash of their names, stays unread (yield-set.test.ts).
import { page, type Saved, script, site } from './sample.fixture.ts'

const saved = (name: string, html: string): Saved => ({ name, html })

const robots: readonly Saved[] = [
  saved(
    'Alibaba slider',
    `<!DOCTYPE html><html><head><meta charset="utf-8"><title>滑动验证页面</title>${script('https://g.alicdn.com/sd/ncpc/nc.js?t=1')}</head><body><div class="mod-warn-bd"><h3>亲，请拖动下方滑块完成验证</h3><p>通过验证以确保正常访问</p><div id="nc_1_wrapper" class="nc_wrapper"><span id="nc_1_n1z" class="nc_iconfont btn_slide"></span><div class="scale_text">请按住滑块，拖动到最右边</div></div></div><script>window._config_={action:"captcha",url:"/_____tmd_____/punish?x5secdata=abc&x5step=2"}</script></body></html>`,
  ),
  saved(
    'Aliyun firewall 405',
    '<!doctype html><html lang="zh-cn"><head><meta charset="utf-8"><title>405</title></head><body data-spm="a3c0e"><div id="block_message">很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。</div><div id="block_traceid">您的请求ID是: <strong>76b20f4917</strong></div><img src="https://errors.aliyun.com/images/TB15QGaHpXXXXXOaXXXXia39XXX-660-117.png"></body></html>',
  ),
  saved(
    'Tencent captcha gate',
    `<html><head><title>安全验证</title>${script('https://turing.captcha.qcloud.com/TCaptcha.js')}</head><body><div class="box"><p>为了保护您的网络安全，请完成安全验证后继续访问</p><button id="TencentCaptcha" data-appid="2034" data-cbfn="cb">点击验证</button></div></body></html>`,
  ),
  saved(
    'Tencent EdgeOne refusal',
    '<html><head><title>访问禁止</title></head><body><h1>当前访问疑似黑客攻击，已被网站管理员设置为拦截</h1><p>如您是网站管理员，请登录 EdgeOne 控制台查看详情</p><p>客户端 IP：203.0.113.9</p><p>Request ID: 1138871892</p></body></html>',
  ),
  saved(
    'GeeTest, Chinese',
    `<html lang="zh"><head><title>验证码</title>${script('https://static.geetest.com/v4/gt4.js')}</head><body><div id="captcha"></div><p>系统检测到您的访问过于频繁，请完成拼图后继续。</p><script>initGeetest4({captchaId:"54088bb"},function(c){c.appendTo("#captcha")})</script></body></html>`,
  ),
  saved(
    'Baidu check',
    '<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>百度安全验证</title><link rel="stylesheet" href="https://wappass.bdimg.com/static/machine/css/api/mkd.css"></head><body><div class="timeout hide"><div class="timeout-title">网络不给力，请稍后重试</div><button type="button" class="timeout-button">返回首页</button></div><div class="timeout-feedback">问题反馈</div></body></html>',
  ),
  saved(
    'Safedog block',
    '<html><head><title>网站防火墙</title></head><body><div>您的请求带有不合法参数，已被网站管理员设置拦截！</div><div>可能原因：您提交的内容包含危险的攻击请求</div><div>如何解决：检查提交内容；如网站托管，请联系空间提供商</div></body></html>',
  ),
  saved(
    'Yandex SmartCaptcha',
    '<!doctype html><html lang="ru"><head><title>Вы не робот?</title></head><body><form id="checkbox-captcha-form" method="POST" action="/checkcaptcha?key=1"><div class="Spacer"><span>Подтвердите, что запросы отправляли вы, а не робот</span></div><p>Нам очень жаль, но запросы с вашего устройства похожи на автоматические.</p><div class="CheckboxCaptcha"><input type="submit" id="js-button" value="Я не робот"></div></form></body></html>',
  ),
  saved(
    'Qrator refusal',
    '<html><head><title>HTTP 403</title></head><body><center><h1>Доступ к ресурсу ограничен</h1><p>Ваш IP-адрес 198.51.100.7 заблокирован. Если вы считаете, что это ошибка, напишите на mail@qrator.net и укажите номер запроса.</p></center></body></html>',
  ),
  saved(
    'a Russian shop that checks browsers',
    `<html lang="ru"><head><title>Проверяем браузер</title></head><body><div id="id_spinner"></div><p>Проверяем ваш браузер перед переходом на сайт. Это займёт несколько секунд.</p><noscript>Включите JavaScript и обновите страницу</noscript>${script('/__qrator/qauth.js')}</body></html>`,
  ),
  saved(
    'Fastly challenge',
    `<html><head><title>Client Challenge</title></head><body><noscript><div>JavaScript is disabled in your browser. Please enable JavaScript to proceed.</div></noscript><div id="loading-error">A required part of this site couldn't load. This may be due to a browser extension, network issues, or browser settings.</div>${script('/_fs-ch-1T1wmsGaOgGaSxcX/script.js')}</body></html>`,
  ),
  saved(
    'Azure Front Door block',
    "<!DOCTYPE html><html><head><meta charset='utf-8'><title>The request is blocked.</title></head><body><div id='content'><p>The request is blocked.</p><p>20250611T093312Z-17d9bbcf7c6q8</p></div></body></html>",
  ),
  saved(
    'Azure application gateway 403',
    '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>Microsoft-Azure-Application-Gateway/v2</center></body></html>',
  ),
  saved(
    'Google Cloud Armor',
    '<!doctype html><meta charset="utf-8"><title>403</title>403 Forbidden',
  ),
  saved(
    'Google front end 403',
    '<html><head><title>Error 403 (Forbidden)!!1</title></head><body><p><b>403.</b> <ins>That’s an error.</ins><p>Your client does not have permission to get URL <code>/catalogue</code> from this server. <ins>That’s all we know.</ins></body></html>',
  ),
  saved(
    'FortiWeb block',
    '<html><head><title>Web Page Blocked!</title></head><body><div class="header"><h3>Web Page Blocked!</h3></div><p>The page cannot be displayed. Please contact the administrator for additional information.</p><p>URL: shop.example/list</p><p>Client IP: 203.0.113.80</p><p>Attack ID: 20000051</p><p>Message ID: 004410293815</p></body></html>',
  ),
  saved(
    'Barracuda',
    '<html><head><title>Access Blocked</title></head><body><h2>You are not allowed to view this page</h2><p>The application firewall has prevented this request from reaching the server. Please quote event id 18ba-77 when you call the help desk.</p></body></html>',
  ),
  saved(
    'Wallarm',
    '<html><head><title>You are blocked</title></head><body><h1>Malicious activity blocked</h1><p>Your request is considered a threat to the service and was blocked. If you believe that this is a mistake, copy the details below and send them to the administrator.</p><pre>IP: 203.0.113.1\nTime: 2025-03-04T10:00Z\nUUID: 8f3e</pre></body></html>',
  ),
  saved(
    'Bunny Shield',
    `<html><head><title>Establishing a secure connection ...</title>${script('/.bunny-shield/assets/challenge.js')}</head><body><div class="card"><h1>Establishing a secure connection ...</h1><p>We are checking your connection. You will be sent on shortly.</p></div></body></html>`,
  ),
  saved(
    'Anubis, German',
    `<!doctype html><html lang="de"><head><title>Wir stellen sicher, dass du kein Bot bist!</title><link rel="stylesheet" href="/.within.website/x/xess/xess.min.css"></head><body id="top"><main><h1 id="title">Wir stellen sicher, dass du kein Bot bist!</h1><img id="image" src="/.within.website/x/cmd/anubis/static/img/pensive.webp"><p id="status">Laden...</p>${script('/.within.website/x/cmd/anubis/static/js/main.mjs')}<details><summary>Warum sehe ich das?</summary><p>Du siehst das, weil der Betreiber dieser Website Anubis eingerichtet hat, um den Server vor der Plage von KI-Firmen zu schützen, die Websites aggressiv auslesen. Das kann dazu führen, dass Websites ausfallen.</p></details></main></body></html>`,
  ),
  saved(
    'Shopify connection check',
    `<html><head><title>Your connection needs to be verified before you can proceed</title></head><body><div id="app"><h1>Your connection needs to be verified before you can proceed</h1><p>Complete the check below.</p><div class="h-captcha" data-sitekey="f06e6c50"></div></div>${script('https://hcaptcha.com/1/api.js')}</body></html>`,
  ),
  saved(
    'a network with a security department',
    '<html><head><title>Blocked</title></head><body><div class="content"><h1>whoa there, pardner!</h1><p>Your request has been blocked due to a network policy.</p><p>Try logging in or creating an account here to get back to browsing. If you run a script, please register with your developer credentials.</p></div></body></html>',
  ),
  saved(
    'tickets, browsing paused',
    page(
      'Pausing',
      '<h1>Your Browsing Activity Has Been Paused</h1><p>We have detected unusual behavior from either your network or your browser. The reasons may be a VPN, extensions, or several devices on one connection.</p><p>Your Session ID: 3be8-11</p>',
    ),
  ),
  saved(
    'a supermarket asks: robot or human',
    `<html><head><title>Robot or human?</title></head><body><div class="re-captcha"><h1>Robot or human?</h1><p>Activate and hold the button to confirm that you’re human. Thank You!</p><div id="px-captcha"></div></div></body></html>`,
  ),
  saved(
    'job reviews ask for patience',
    page(
      'Security | Jobs',
      '<h1>Help Us Protect Our Site</h1><p>Please help us protect the site by verifying that you are a real person. We are sorry for the inconvenience. If you continue to see this message, please write to us.</p><form action="/verify"><button>I am a person</button></form>',
    ),
  ),
  saved(
    'ALTCHA gate, Danish',
    page(
      'Et øjeblik',
      `<main><h1>Et øjeblik</h1><p>Vi kontrollerer, at du ikke er en robot. Sæt flueben for at fortsætte til siden.</p><altcha-widget challengeurl="/altcha"></altcha-widget></main>${script('/altcha.min.js')}`,
      '',
      'da',
    ),
  ),
  saved(
    'automated queries, Swedish',
    page(
      'Trafiken har stoppats',
      '<h1>Ovanlig trafik</h1><p>Vårt system har upptäckt ovanlig trafik från ditt nätverk. Bekräfta att du är en människa för att komma vidare.</p><p>IP: 203.0.113.40</p>',
      '',
      'sv',
    ),
  ),
  saved(
    'too many requests, Norwegian',
    page(
      'For mange forespørsler',
      '<h1>For mange forespørsler</h1><p>Du har sendt for mange forespørsler på kort tid. Vent noen minutter og prøv igjen.</p>',
      '',
      'no',
    ),
  ),
  saved(
    'access denied, Finnish',
    page(
      'Pääsy estetty',
      '<h1>Pääsy estetty</h1><p>Sinulla ei ole oikeutta nähdä tätä sivua. Ota yhteyttä ylläpitoon, jos tämä on mielestäsi virhe. Tapahtuman tunnus 55ab.</p>',
      '',
      'fi',
    ),
  ),
  saved(
    'access denied, Hebrew',
    page(
      'הגישה נחסמה',
      '<h1>הגישה נחסמה</h1><p>הבקשה שלך נחסמה על ידי מערכת האבטחה של האתר. אם לדעתך מדובר בטעות, פנה למנהל האתר וציין את מספר האירוע 7781.</p>',
      '',
      'he',
    ),
  ),
  saved(
    'robot check, Vietnamese',
    page(
      'Xác minh bạn không phải là robot',
      '<h1>Xác minh bảo mật</h1><p>Vui lòng xác nhận bạn không phải là robot để tiếp tục truy cập trang web.</p><div class="g-recaptcha" data-sitekey="6Ld"></div>',
      '',
      'vi',
    ),
  ),
  saved(
    'robot check, Thai',
    page(
      'ตรวจสอบความปลอดภัย',
      '<h1>โปรดยืนยันว่าคุณไม่ใช่หุ่นยนต์</h1><p>ระบบตรวจพบการใช้งานที่ผิดปกติจากเครือข่ายของคุณ กรุณายืนยันตัวตนก่อนเข้าชมเว็บไซต์</p>',
      '',
      'th',
    ),
  ),
  saved(
    'robot check, Hindi',
    page(
      'सुरक्षा जाँच',
      '<h1>सुरक्षा जाँच</h1><p>कृपया पुष्टि करें कि आप रोबोट नहीं हैं। आपके नेटवर्क से असामान्य गतिविधि मिली है।</p>',
      '',
      'hi',
    ),
  ),
  saved(
    'access refused, Arabic',
    page(
      'تم رفض الوصول',
      '<h1>تم رفض الوصول</h1><p>لقد تم حظر طلبك لأسباب أمنية. إذا كنت تعتقد أن هذا خطأ فاتصل بمسؤول الموقع واذكر الرقم 4471.</p>',
      '',
      'ar',
    ),
  ),
  saved(
    'robot check, Indonesian',
    page(
      'Verifikasi',
      '<h1>Apakah Anda manusia?</h1><p>Kami mendeteksi aktivitas tidak biasa dari jaringan Anda. Selesaikan verifikasi untuk melanjutkan.</p>',
      '',
      'id',
    ),
  ),
  saved(
    'robot check, Turkish',
    page(
      'Güvenlik doğrulaması',
      '<h1>Robot olmadığınızı doğrulayın</h1><p>Ağınızdan olağan dışı trafik algıladık. Devam etmek için kutuyu işaretleyin.</p>',
      '',
      'tr',
    ),
  ),
  saved(
    'block, Polish',
    page(
      'Dostęp zablokowany',
      '<h1>Dostęp zablokowany</h1><p>Twoje żądanie zostało zablokowane ze względów bezpieczeństwa. Numer zdarzenia: 9921-33.</p>',
      '',
      'pl',
    ),
  ),
  saved(
    'Arkose puzzle',
    `<html><head><title>Verification</title>${script('https://client-api.arkoselabs.com/v2/35536E1E/api.js')}</head><body><h2>Let's confirm you are human</h2><p>Solve the puzzle so we know you are not a bot.</p><div id="arkose"></div></body></html>`,
  ),
  saved(
    'country not served',
    page(
      'Not available in your region',
      '<h1>We are sorry</h1><p>This website is not available in your country or region due to data protection rules. We are working on making it available to readers in the European Union.</p>',
    ),
  ),
]

const gates: readonly Saved[] = [
  saved(
    'metered newspaper teaser',
    site(
      'Ferry strike enters third week',
      '<article><h1>Ferry strike enters third week</h1><p>By Ann Lowe</p><p>The ferries between the islands and the mainland stayed in port for the fifteenth day on Tuesday, and neither the company nor the union would say when talks might begin again. Shops on the outer islands have begun to ration milk, and two hotels sent their guests home early because no linen could be delivered. The minister said that she would not…</p><div class="paywall"><h2>Subscribe to continue reading</h2><p>You have read your last free article this month. Already a subscriber? Log in.</p><a href="/subscribe">See offers</a></div></article>',
    ),
  ),
  saved(
    'paid article, Swedish',
    page(
      'Färjorna ligger still',
      '<article><h1>Färjorna ligger still</h1><p>För femtonde dagen i rad låg färjorna kvar i hamn på tisdagen, och varken rederiet eller facket ville säga när samtalen kan börja om.</p><div class="locked"><h2>Den här artikeln är för prenumeranter</h2><p>Bli prenumerant för att läsa vidare. Redan prenumerant? Logga in</p></div></article>',
      '',
      'sv',
    ),
  ),
  saved(
    'paid article, German',
    page(
      'Fähren bleiben im Hafen',
      '<article><h1>Fähren bleiben im Hafen</h1><p>Am Dienstag lagen die Fähren den fünfzehnten Tag in Folge fest, und weder die Reederei noch die Gewerkschaft wollte sagen, wann wieder verhandelt wird.</p><section><h2>Weiterlesen mit Plus</h2><p>Dieser Artikel ist exklusiv für Abonnenten. Jetzt Probeabo abschließen und weiterlesen. Sie haben bereits ein Abo? Hier anmelden</p></section></article>',
      '',
      'de',
    ),
  ),
  saved(
    'members only post',
    page(
      'How I price my prints',
      '<article><h1>How I price my prints</h1><p>People ask me how I arrive at what I charge. It took me years to find a rule.</p><h2>This post is for paid subscribers</h2><p>Upgrade to read the rest.</p><a href="/subscribe">Subscribe</a><a href="/signin">Sign in</a></article>',
    ),
  ),
  saved(
    'login of a mail service',
    page(
      'Sign in to your account',
      '<form method="post"><img alt="" src="logo.svg"><h1>Sign in</h1><input type="email" name="loginfmt" placeholder="Email, phone, or user name"><input type="password" name="passwd"><a href="/reset">Can’t access your account?</a><button>Next</button></form><footer>Terms of use Privacy &amp; cookies</footer>',
    ),
  ),
  saved(
    'wall of a professional network',
    page(
      'Sign Up | Network',
      '<main><h1>Join Network to see more</h1><p>Sign in to see who you already know</p><form><label>Email</label><input type="email"><label>Password (6+ characters)</label><input type="password"><button>Agree &amp; Join</button></form><p>By clicking Agree &amp; Join, you agree to the User Agreement, Privacy Policy and Cookie Policy.</p><p>Already on Network? <a href="/login">Sign in</a></p></main>',
    ),
  ),
  saved(
    'pictures behind a login',
    page(
      'Login • Pictures',
      '<div><h1>Pictures</h1><p>Log in to see photos and videos from your friends.</p><form><input name="username" aria-label="Phone number, username or email"><input type="password" name="password"><button>Log in</button></form><a href="/forgot">Forgot password?</a><p>Don’t have an account? <a href="/signup">Sign up</a></p></div>',
    ),
  ),
  saved(
    'company single sign-on, Norwegian',
    page(
      'Logg inn',
      '<h1>Logg inn</h1><form><label>Brukernavn</label><input name="u"><label>Passord</label><input type="password"><button>Logg inn</button></form><p>Glemt passord?</p>',
      '',
      'no',
    ),
  ),
  saved(
    'age gate of a brewery',
    page(
      'Welcome',
      '<div class="age-gate"><h1>Are you of legal drinking age?</h1><p>You must be of legal drinking age to enter this site.</p><button>Yes</button><button>No</button><p>By entering you accept our terms and our cookie policy.</p></div>',
    ),
  ),
  saved(
    'before you continue, Dutch',
    page(
      'Voordat je verdergaat',
      '<form action="/save"><h1>Voordat je verdergaat</h1><p>We gebruiken cookies en gegevens om services te leveren en te onderhouden, uitval bij te houden en bescherming te bieden tegen spam.</p><button>Alles afwijzen</button><button>Alles accepteren</button><a href="/opts">Meer opties</a></form>',
      '',
      'nl',
    ),
  ),
  saved(
    'pay or accept, German',
    page(
      'Mit Werbung weiterlesen',
      '<div><h2>Mit Werbung weiterlesen</h2><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking. Details zu Cookies und Einwilligung finden Sie in der Datenschutzerklärung.</p><button>Akzeptieren und weiter</button><h2>Pur-Abo</h2><p>Ohne Tracking und ohne Cookies für 4,99 Euro im Monat. Bereits Pur-Abonnent? Hier anmelden</p></div>',
      '',
      'de',
    ),
  ),
  saved(
    'consent, Danish',
    page(
      'Samtykke',
      '<div><h1>Vi værner om dit privatliv</h1><p>Vi og vores 812 partnere bruger cookies til at gemme og tilgå oplysninger på din enhed. Du kan ændre dit samtykke når som helst.</p><button>Accepter alle</button><button>Afvis alle</button><button>Indstillinger</button></div>',
      '',
      'da',
    ),
  ),
  saved(
    'consent, Italian',
    page(
      'Informativa',
      '<div><h1>La tua privacy è importante</h1><p>Noi e i nostri partner utilizziamo cookie o tecnologie simili per le finalità indicate nella cookie policy. Puoi dare o negare il consenso in qualsiasi momento.</p><button>Accetta tutto</button><button>Rifiuta</button><button>Scopri di più e personalizza</button></div>',
      '',
      'it',
    ),
  ),
  saved(
    'consent of a portal',
    page(
      'Portal is part of a family of brands',
      '<form><h1>Before you go on</h1><p>When you use our sites and apps, we use cookies to provide them to you, to authenticate users and to measure use. If you click Accept all, we and our partners also store and access information on a device.</p><button>Accept all</button><button>Reject all</button><button>Manage privacy settings</button></form>',
    ),
  ),
]

const failures: readonly Saved[] = [
  saved(
    'not found, Hindi',
    page(
      'पृष्ठ नहीं मिला',
      '<h1>पृष्ठ नहीं मिला</h1><p>आप जिस पृष्ठ को खोज रहे हैं वह मौजूद नहीं है या हटा दिया गया है।</p><a href="/">मुखपृष्ठ पर जाएँ</a>',
      '',
      'hi',
    ),
  ),
  saved(
    'not found, Thai',
    page(
      'ไม่พบหน้าที่คุณต้องการ',
      '<h1>ไม่พบหน้าที่คุณต้องการ</h1><p>หน้านี้อาจถูกลบหรือย้ายไปแล้ว</p><a href="/">กลับหน้าหลัก</a>',
      '',
      'th',
    ),
  ),
  saved(
    'not found, Hebrew',
    page(
      'הדף לא נמצא',
      '<h1>אופס! הדף לא נמצא</h1><p>הדף שחיפשת אינו קיים או שהועבר לכתובת אחרת.</p><a href="/">לעמוד הבית</a>',
      '',
      'he',
    ),
  ),
  saved(
    'not found, Vietnamese',
    page(
      'Không tìm thấy trang',
      '<h1>Không tìm thấy trang</h1><p>Trang bạn tìm kiếm không tồn tại hoặc đã bị xóa.</p><a href="/">Về trang chủ</a>',
      '',
      'vi',
    ),
  ),
  saved(
    'not found, Danish',
    page(
      'Siden findes ikke',
      '<h1>Siden findes ikke</h1><p>Vi kan desværre ikke finde den side, du leder efter. Den er måske flyttet eller slettet.</p>',
      '',
      'da',
    ),
  ),
  saved(
    'not found, Finnish, in a shop',
    page(
      'Sivua ei löydy',
      '<header><nav><a href="/a">Astiat</a><a href="/b">Tekstiilit</a></nav></header><main><h1>Sivua ei löydy</h1><p>Etsimääsi sivua ei ole olemassa.</p></main><footer>Toimitusehdot</footer>',
      '',
      'fi',
    ),
  ),
  saved(
    'product gone',
    site(
      'Brookfield',
      '<h1>Sorry, this product is no longer available</h1><p>It may have sold out or been withdrawn. Have a look at what is new.</p><a href="/new">New in</a>',
    ),
  ),
  saved(
    'job gone, Czech',
    page(
      'Nabídka již není aktivní',
      '<h1>Stránka nenalezena</h1><p>Tato nabídka již není dostupná.</p><a href="/">Zpět na hlavní stránku</a>',
      '',
      'cs',
    ),
  ),
  saved(
    'Varnish',
    '<?xml version="1.0"?><html><head><title>503 Backend fetch failed</title></head><body><h1>Error 503 Backend fetch failed</h1><p>Backend fetch failed</p><h3>Guru Meditation:</h3><p>XID: 32770</p><hr><p>Varnish cache server</p></body></html>',
  ),
  saved(
    'Fastly without a domain',
    '<html><head><title>Fastly error: unknown domain www.example.com</title></head><body><p>Fastly error: unknown domain: www.example.com. Please check that this domain has been added to a service.</p><p>Details: cache-fra-1</p></body></html>',
  ),
  saved(
    'suspended by the host',
    page(
      'Account Suspended',
      '<div id="container"><h2>Account Suspended</h2><p>This Account has been suspended.</p><p>Contact your hosting provider for more information.</p></div>',
    ),
  ),
  saved(
    'parked domain',
    page(
      'brookmills.example',
      `<div id="main"><h1>brookmills.example</h1><p>This domain is for sale! Get this domain</p><p>Related searches</p><ul><li><a href="/a">Web Hosting</a></li><li><a href="/b">Cheap Flights</a></li></ul></div>${script('https://parking.example/caf.js')}`,
    ),
  ),
  saved(
    'fresh web server',
    '<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body><h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p><p><em>Thank you for using nginx.</em></p></body></html>',
  ),
  saved(
    'maintenance, Portuguese',
    page(
      'Em manutenção',
      '<h1>Estamos em manutenção</h1><p>Nosso site está temporariamente fora do ar. Voltaremos em breve!</p>',
      '',
      'pt',
    ),
  ),
  saved(
    'maintenance, Japanese',
    page(
      'メンテナンス中',
      '<h1>ただいまメンテナンス中です</h1><p>ご迷惑をおかけしますが、しばらくしてからもう一度アクセスしてください。</p>',
      '',
      'ja',
    ),
  ),
  saved(
    'shop before its opening',
    page(
      'Opening soon',
      '<h1>Opening soon</h1><p>Be the first to know when we launch.</p><form><input type="email"><button>Notify me</button></form><p>Are you the store owner? Log in here</p><form><input type="password"></form>',
    ),
  ),
  saved(
    'application error of a platform',
    '<!DOCTYPE html><html><head><title>Application Error</title></head><body><h1>Application error</h1><p>An error occurred in the application and your page could not be served. If you are the application owner, check your logs for details.</p></body></html>',
  ),
  saved(
    'database down',
    '<html><head><title>Database Error</title></head><body><h1>Error establishing a database connection</h1></body></html>',
  ),
  saved(
    'something went wrong in an application',
    `<html><head><title>Brook</title></head><body><div id="__next"><h2>Something went wrong</h2><p>Please reload the page.</p><button>Reload</button></div>${script('/_next/static/chunks/main.js')}</body></html>`,
  ),
]

const shells: readonly Saved[] = [
  saved(
    'Vite shell',
    `<!doctype html><html lang="en"><head><title>Orders</title>${script('/assets/index-4f1.js')}</head><body><div id="root"></div></body></html>`,
  ),
  saved(
    'Blazor shell',
    `<html><head><title>Planner</title></head><body><app>Loading...</app><div id="blazor-error-ui">An unhandled error has occurred. <a href="">Reload</a></div>${script('_framework/blazor.webassembly.js')}</body></html>`,
  ),
  saved(
    'Flutter shell',
    `<html><head><title>kaart</title><base href="/"></head><body>${script('flutter_bootstrap.js')}</body></html>`,
  ),
  saved(
    'a network without script',
    `<html><head><title>Timeline</title></head><body><noscript><h1>JavaScript is not available.</h1><p>We’ve detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser to continue. You can see a list of supported browsers in our Help Center.</p></noscript><div id="react-root"></div>${script('/main.js')}</body></html>`,
  ),
  saved(
    'old browser, Chinese',
    `<html><head><title>商城</title></head><body><div id="app"></div><noscript>请开启浏览器的 JavaScript 功能后继续</noscript>${script('/js/chunk-vendors.js')}${script('/js/app.js')}</body></html>`,
  ),
  saved(
    'shell with a skeleton and a footer',
    `<html><head><title>Flats to let</title></head><body><header><a href="/">Flats</a></header><div id="app"><div class="skeleton"></div><div class="skeleton"></div></div><footer>© Flats 2025</footer>${script('/a.js')}${script('/b.js')}</body></html>`,
  ),
  saved(
    'unsupported browser',
    page(
      'Unsupported browser',
      '<h1>Your browser is not supported</h1><p>Please update your browser, or use the latest version of Chrome, Firefox, Safari or Edge.</p>',
    ),
  ),
  saved(
    'forwarding by script',
    '<html><head><title></title></head><body><script>window.location.href="/en/home?x=1"</script></body></html>',
  ),
]

export const secondHeldWalls: readonly Saved[] = [...robots, ...gates, ...failures, ...shells]
