// Walls, shells, errors and gates for the third set held out: made up from what block pages, error templates and default pages
// of many makers look like, in our own words. Written before any verdict on them was seen.
import { page, type Saved, script } from './sample.fixture.ts'

const saved = (name: string, html: string): Saved => ({ name, html })

/** As small servers write it. */
const bare = (title: string, body: string) =>
  `<html>\n<head><title>${title}</title></head>\n<body bgcolor="white">\n${body}\n</body>\n</html>`

/** One box in the middle of the screen. */
const card = (lang: string, title: string, body: string, head = '') =>
  page(
    title,
    `<div class="wrapper"><div class="box">${body}</div></div>`,
    `<style>body{font-family:sans-serif;background:#f3f4f6}.box{max-width:520px;margin:10vh auto}</style>${head}`,
    lang,
  )

/** A site whose menus are plain divisions. */
const divided = (lang: string, title: string, menu: string, body: string, foot: string) =>
  page(
    title,
    `<div id="top"><a href="/"><img src="/logo.png" alt=""></a><ul class="menu">${menu
      .split(', ')
      .map((item) => `<li><a href="#">${item}</a></li>`)
      .join(
        '',
      )}</ul></div><div id="page"><div class="row">${body}</div></div><div id="bottom">${foot}</div>`,
    `<link rel="stylesheet" href="/theme.css">${script('/theme.js')}`,
    lang,
  )

const challenges: readonly Saved[] = [
  saved(
    'proof of work at a proxy',
    page(
      'Hold on...',
      '<div class="pt"><img src="/.flare/shield.svg" alt=""><div>Checking your browser for bots 🤖</div></div><div class="powstatus"></div><noscript><p class="red">JavaScript is required on this page.</p></noscript><footer>DDoS protection, performance and security by <a href="#">Baseline</a> – node rd-4 – ID 5f0d</footer>',
      script('/.flare/js/argon2.js') + script('/.flare/js/challenge.js'),
    ),
  ),
  saved(
    'a proof of work that explains itself',
    page(
      'Proof-of-work challenge',
      '<main><header><h1>Proof-of-work challenge</h1></header><section><p>This site is guarded by a small gate against crawlers. Your browser computes a hash that begins with twenty zero bits, then you get a cookie and are sent on. It takes a second or two on most machines.</p><p>No JavaScript? Solve it by hand with the identifier below and paste the answer.</p><form method="post"><input name="nonce"><button>Submit</button></form></section></main>',
      script('/.gate/main.js'),
    ),
  ),
  saved(
    'slider in a shop of Vietnam',
    card(
      'vi',
      'Xác minh bảo mật',
      '<h3>Kéo thanh trượt để ghép hình</h3><p>Chúng tôi cần xác nhận rằng thao tác này do chính bạn thực hiện.</p><div class="slider"></div>',
      script('/captcha/slide.js'),
    ),
  ),
  saved(
    'click to go on, German',
    card(
      'de',
      'Kurze Überprüfung',
      '<h2>Bevor es weitergeht …</h2><p>Wir haben von Ihrem Anschluss auffällig viele Seitenaufrufe bekommen. Bitte zeigen Sie uns, dass kein Programm am Werk ist.</p><button id="go">Ich bin ein Mensch</button><p class="small">Vorgangsnummer 8812-ab07</p>',
    ),
  ),
  saved(
    'letters from a picture, French',
    bare(
      'Contrôle anti-robots',
      '<form method="post" action="/check"><p>Afin de protéger notre site contre les accès automatisés, merci de recopier les caractères de l’image.</p><img src="/captcha.png" width="180" height="50"><input name="code"><input type="submit" value="Valider"></form>',
    ),
  ),
  saved(
    'letters from a picture, Czech',
    bare(
      'Ověření',
      '<p>Z vaší sítě přichází velké množství dotazů. Opište prosím kód z obrázku, abychom poznali, že nejste automat.</p><img src="/c.gif"><form method="post"><input name="k"><button>Odeslat</button></form>',
    ),
  ),
  saved(
    'wait five seconds, Indonesian',
    page(
      'Mohon tunggu...',
      '<div class="spinner"></div><h1>Memeriksa peramban Anda</h1><p>Proses ini berjalan otomatis. Anda akan segera diarahkan ke halaman yang diminta dalam 5 detik.</p>',
      `<meta http-equiv="refresh" content="5">${script('/guard.js')}`,
      'id',
    ),
  ),
  saved(
    'wait, Polish',
    page(
      'Chwileczkę…',
      '<h1>Sprawdzamy, czy połączenie jest bezpieczne</h1><p>Za chwilę zostaniesz przekierowany. Włącz obsługę plików cookie i JavaScript.</p>',
      script('/verify.js'),
      'pl',
    ),
  ),
  saved(
    'wait, Turkish',
    page(
      'Bir dakika lütfen',
      '<p>Tarayıcınız doğrulanıyor, bu işlem birkaç saniye sürebilir.</p><p>Doğrulama kodu: 7c21f0</p>',
      script('/dogrula.js'),
      'tr',
    ),
  ),
  saved(
    'press and hold, Portuguese',
    card(
      'pt',
      'Antes de continuar',
      '<h1>Pressione e segure o botão</h1><p>Precisamos confirmar que é uma pessoa que está navegando.</p><div id="hold-btn"></div><p>ID de referência: a2b0e6f0-11aa</p>',
    ),
  ),
  saved(
    'are you there, Swedish',
    card(
      'sv',
      'Kontroll',
      '<h2>Vi vill bara försäkra oss om att du är en människa</h2><p>Markera rutan för att fortsätta till webbplatsen.</p><label><input type="checkbox"> Jag är ingen robot</label>',
    ),
  ),
  saved(
    'puzzle, Korean',
    card(
      'ko',
      '보안 확인',
      '<h2>자동 입력 방지</h2><p>아래 이미지에 보이는 문자를 입력해 주세요. 정상적인 사용자인지 확인하기 위한 절차입니다.</p><img src="/c"><input><button>확인</button>',
    ),
  ),
  saved(
    'puzzle, Japanese',
    card(
      'ja',
      '認証のお願い',
      '<p>通常と異なるアクセスが検出されました。</p><p>続けるには、下の画像に表示されている文字を入力してください。</p><img src="/c.png"><form><input name="t"><button>送信</button></form>',
    ),
  ),
  saved(
    'puzzle, traditional Chinese',
    card(
      'zh-TW',
      '驗證您的身分',
      '<h1>請稍等一下</h1><p>我們偵測到異常的流量，請勾選下方方塊以證明您是真人。</p><label><input type="checkbox">我是真人</label>',
    ),
  ),
  saved(
    'a check, Persian',
    card(
      'fa',
      'بررسی امنیتی',
      '<h1>لطفاً صبر کنید</h1><p>در حال بررسی مرورگر شما هستیم تا مطمئن شویم که ربات نیستید.</p>',
      script('/ck.js'),
    ),
  ),
  saved(
    'a check, Arabic',
    card(
      'ar',
      'التحقق من المتصفح',
      '<h1>لحظة من فضلك</h1><p>نتحقق الآن من أن الاتصال آمن قبل نقلك إلى الموقع. قد يستغرق ذلك بضع ثوانٍ.</p>',
      script('/ck.js'),
    ),
  ),
  saved(
    'a check, Ukrainian',
    card(
      'uk',
      'Зачекайте, будь ласка',
      '<p>Перевіряємо безпеку з’єднання з сайтом. Підтвердьте, що ви людина.</p><div class="cb"></div>',
      script('/ck.js'),
    ),
  ),
  saved(
    'a check, Greek',
    card(
      'el',
      'Επαλήθευση ασφαλείας',
      '<p>Επιβεβαιώστε ότι δεν είστε πρόγραμμα αυτόματης πλοήγησης για να συνεχίσετε.</p><button>Συνέχεια</button>',
    ),
  ),
  saved(
    'crawlers not wanted',
    bare(
      'Automated access',
      '<p>It seems that you are using a script or a crawler to reach this catalogue. Bulk downloading is not tolerated. If you are a person, <a href="/human?t=8">follow this link</a> to carry on.</p>',
    ),
  ),
  saved(
    'a friseur of captchas in a frame',
    `<!doctype html><html><head><title>shop.example</title></head><body style="margin:0"><p id="msg">Please enable JS and turn off any ad blocker</p><script>var c={'rt':'i','cid':'AHrlq','host':'geo.challenge.example'}</script>${script('https://ct.challenge.example/i.js')}</body></html>`,
  ),
  saved(
    'a shop that suspects',
    divided(
      'en',
      'Lumen Outdoor',
      'Tents, Packs, Stoves, Boots, Sale',
      '<h2>Let us know you are real</h2><p>Too much clicking! Something in the way that you browse reminded us of a bot. Tick the box and we will let you back in.</p><div class="checkbox-frame"></div>',
      '© Lumen Outdoor',
    ),
  ),
  saved(
    'a library catalogue that counts',
    bare(
      'Verification required',
      '<h3>Verification required</h3><p>Your session has issued many searches in a short time. To show that no harvester is running, type the sum of four and nine.</p><form><input name="sum" size="3"><input type="submit"></form>',
    ),
  ),
  saved(
    'an empty body that reloads itself',
    `<html><head><meta name="robots" content="noindex"><script>(function(){document.cookie="k="+btoa(navigator.userAgent)+";path=/";location.reload()})()</script></head><body></body></html>`,
  ),
  saved(
    'cookie test that forwards',
    `<!doctype html><html><head><title></title><script>document.cookie='_tk=1';setTimeout(function(){location.href=location.href},10)</script></head><body><noscript>Cookies and scripts have to be switched on.</noscript></body></html>`,
  ),
]

const refusals: readonly Saved[] = [
  saved(
    'policy of a bank, Italian',
    bare(
      'Richiesta respinta',
      '<h1>Richiesta respinta</h1><p>La pagina richiesta è stata bloccata dalle nostre regole di sicurezza. Per assistenza comunichi il codice 17730112904.</p>',
    ),
  ),
  saved(
    'university firewall, Spanish',
    card(
      'es',
      'Petición bloqueada',
      '<h1>Su petición ha sido bloqueada</h1><p>El cortafuegos de la universidad ha detectado un patrón sospechoso. Si cree que se trata de un error, escriba al administrador e indique el número de incidencia 55231.</p>',
    ),
  ),
  saved(
    'hosting firewall, Portuguese',
    card(
      'pt-BR',
      'Ops! Bloqueado',
      '<h2>Seu IP foi bloqueado</h2><p>Por motivos de segurança o seu endereço 203.0.113.40 não pode acessar este servidor. Entre em contato com o suporte.</p>',
    ),
  ),
  saved(
    'state portal, Polish',
    card(
      'pl',
      'Odrzucono',
      '<p>Twoje żądanie zostało odrzucone ze względów bezpieczeństwa. Skontaktuj się z administratorem i podaj identyfikator zgłoszenia: 1209348812.</p>',
    ),
  ),
  saved(
    'state portal, Russian',
    bare(
      'Ошибка доступа',
      '<h2>Ваш запрос отклонён системой защиты</h2><p>Если вы считаете, что произошла ошибка, обратитесь к администратору сайта и сообщите идентификатор обращения 90aa12.</p>',
    ),
  ),
  saved(
    'state portal, Ukrainian',
    bare(
      '403',
      '<h2>Вам сюди не можна</h2><p>Систему захисту налаштовано так, що запити з вашої адреси не обробляються. Код події: 33-bc.</p>',
    ),
  ),
  saved(
    'hotel site, Turkish',
    bare(
      'Erişim Engeli',
      '<h1>Erişiminiz engellenmiştir</h1><p>IP adresiniz güvenlik duvarımız tarafından kara listeye alınmış. Yardım için olay numarasını iletin: 771c.</p>',
    ),
  ),
  saved(
    'ministry, Indonesian',
    bare(
      'Permintaan Ditolak',
      '<p>Permintaan Anda ditolak oleh sistem keamanan kami. Silakan hubungi administrator dengan menyebutkan nomor dukungan 882100341.</p>',
    ),
  ),
  saved(
    'insurance, Dutch',
    card(
      'nl',
      'Helaas',
      '<h1>U kunt deze pagina niet bekijken</h1><p>Onze beveiliging heeft uw verzoek tegengehouden. Denkt u dat dit niet klopt? Mail dan de webmaster en vermeld kenmerk 5512-e.</p>',
    ),
  ),
  saved(
    'a WAF, Hungarian',
    bare(
      'Letiltva',
      '<h1>A kérést letiltottuk</h1><p>A biztonsági rendszer gyanús tevékenységet észlelt. Eseményazonosító: 6612ba.</p>',
    ),
  ),
  saved(
    'a WAF, Romanian',
    bare(
      'Blocat',
      '<h1>Cererea dumneavoastră a fost blocată</h1><p>Sistemul de securitate a considerat solicitarea periculoasă. Contactați administratorul și menționați codul 7781.</p>',
    ),
  ),
  saved(
    'a WAF, Finnish',
    bare(
      'Pyyntö estetty',
      '<h1>Pyyntösi estettiin</h1><p>Palomuurimme piti pyyntöä haitallisena. Ota yhteyttä ylläpitoon ja mainitse tunnus 8e71.</p>',
    ),
  ),
  saved(
    'a WAF, Chinese',
    bare(
      '拦截提示',
      '<h2>您的请求可能存在威胁，已被云防护拦截</h2><p>事件编号：2a9f71c0</p><p>您的 IP：203.0.113.7</p><p>如有误报，请联系网站管理员。</p>',
    ),
  ),
  saved(
    'a WAF, Japanese',
    bare(
      'リクエストを処理できません',
      '<p>セキュリティ上の理由により、このリクエストはブロックされました。お心当たりのない場合は、サポートIDを添えて管理者までご連絡ください。</p><p>サポートID: 1772001</p>',
    ),
  ),
  saved(
    'a WAF, Korean',
    bare(
      '차단 안내',
      '<h1>요청하신 페이지는 보안 정책에 의해 차단되었습니다</h1><p>문의 시 아래 번호를 알려 주십시오: 20231104-88</p>',
    ),
  ),
  saved(
    'a WAF, Thai',
    bare('คำขอถูกปฏิเสธ', '<p>ระบบรักษาความปลอดภัยปฏิเสธคำขอของคุณ โปรดติดต่อผู้ดูแลระบบพร้อมแจ้งรหัส 55a1</p>'),
  ),
  saved(
    'a WAF, Hebrew',
    bare(
      'חסום',
      '<p>הבקשה שלך נדחתה על ידי מערכת ההגנה של האתר. מספר אירוע 7731. לבירורים פנה למנהל האתר.</p>',
    ),
  ),
  saved(
    'a syntax error found by a gateway',
    bare(
      'Request error',
      '<p>The server detected a syntax error in your request. Check your request and all parameters. Error code 33f2.</p>',
    ),
  ),
  saved(
    'hotlink refusal',
    bare(
      'No hotlinking',
      '<p>Direct linking to files on this host is switched off. Your referrer was not on the list of those that may.</p>',
    ),
  ),
  saved(
    'only from the campus',
    card(
      'en',
      'Off-campus visitor',
      '<h1>Sorry!</h1><p>This resource can be opened from the campus network or through the VPN only. You come from 198.51.100.23, which is neither.</p>',
    ),
  ),
  saved(
    'a data centre is not a home',
    card(
      'en',
      'Please turn off your VPN',
      '<h1>Please turn off your VPN</h1><p>You appear to be connecting through a proxy, a VPN or a data centre. We only serve home connections. Disconnect and reload.</p>',
    ),
  ),
  saved(
    'WordPress security plugin',
    bare(
      'Blocked by site owner',
      "<p>A potentially unsafe operation has been detected in your request to this site.</p><p>Generated by a security plugin at Tue, 4 Mar 2025 10:11:02 GMT. Your computer's time: –</p>",
    ),
  ),
  saved(
    'the user agent is not liked',
    bare(
      'Not Acceptable!',
      '<h1>Not Acceptable!</h1><p>An appropriate representation of the requested resource could not be found on this server. This error was generated by Mod_Security.</p>',
    ),
  ),
  saved(
    'nothing but a picture of a shield',
    page(
      'Stop',
      '<img src="/shield.svg" alt="shield"><p>Traffic from this network is not accepted here.</p><p><small>q9-44f2c1</small></p>',
    ),
  ),
  saved(
    'a firm that bans',
    card(
      'en',
      'Account and network ban',
      '<h1>Banned</h1><p>You have been banned from this site. Reason: abuse of the public interface. Expires: never.</p>',
    ),
  ),
  saved(
    'corporate proxy',
    bare(
      'Web filter',
      '<table width="600"><tr><td><b>Content blocked by your organisation</b></td></tr><tr><td>The category of this address (newly seen domains) is not permitted by policy. User: guest. Contact the service desk to have it reviewed.</td></tr></table>',
    ),
  ),
]

const limits: readonly Saved[] = [
  saved(
    'slow down, plain',
    bare('429', '<center><h1>Slow down!</h1></center><hr><center>openresty</center>'),
  ),
  saved(
    'quota of an address',
    card(
      'en',
      'Quota reached',
      '<h1>That is enough for today</h1><p>Your address has used up its 200 page views. Come back tomorrow or get a key.</p>',
    ),
  ),
  saved(
    'quick visitor, French',
    card(
      'fr',
      'Doucement !',
      '<p>Vous avez effectué trop d’actions en peu de temps. Patientez quelques minutes puis réessayez.</p>',
    ),
  ),
  saved(
    'quick visitor, German',
    card(
      'de',
      'Limit erreicht',
      '<p>Sie haben die Höchstzahl der Abfragen pro Stunde erreicht. Versuchen Sie es später erneut.</p>',
    ),
  ),
  saved('quick visitor, Chinese', bare('提示', '<p>操作太频繁，请稍后再试。</p>')),
  saved(
    'queue for tickets',
    card(
      'en',
      'You are in the queue',
      '<h1>You are now in line</h1><p>Many people want to get in at the moment. When it is your turn you will have 10 minutes to enter the website. Do not refresh this page or you will lose your place.</p><p>Number of users ahead of you: 4,210</p><p>Queue ID: 8f7c</p>',
      script('/queue.js'),
    ),
  ),
  saved(
    'waiting room, Spanish',
    card(
      'es',
      'Sala de espera',
      '<h1>Estás en la cola</h1><p>Hay mucho tráfico en este momento. Te daremos paso en cuanto haya sitio. Tiempo estimado: más de una hora. No cierres esta ventana.</p>',
    ),
  ),
]

const logins: readonly Saved[] = [
  saved(
    'intranet, Czech',
    divided(
      'cs',
      'Intranet',
      'Domů, Kontakty',
      '<h2>Přihlášení</h2><p>Obsah je dostupný jen zaměstnancům.</p><form><input name="login"><input type="password" name="pw"><button>Přihlásit</button></form>',
      '© Úřad',
    ),
  ),
  saved(
    'social network, Portuguese',
    page(
      'Entrar',
      '<div id="content"><div><h1>Veja mais</h1><p>Entre ou cadastre-se para ver este perfil.</p><input type="text" placeholder="E-mail"><input type="password" placeholder="Senha"><button>Entrar</button><a href="#">Esqueceu a senha?</a><a href="#">Criar nova conta</a></div></div>',
      script('/a.js') + script('/b.js'),
      'pt',
    ),
  ),
  saved(
    'forum, Russian',
    divided(
      'ru',
      'Форум',
      'Правила, Поиск, Регистрация, Вход',
      '<div class="panel"><p>Для просмотра этой темы необходимо войти на форум под своим именем.</p></div>',
      'Powered by phpBB',
    ),
  ),
  saved(
    'forum, Dutch',
    divided(
      'nl',
      'Forum',
      'Home, Zoeken, Registreren, Inloggen',
      '<div class="errorbox"><p>Je hebt geen rechten om dit onderwerp te bekijken. Log eerst in.</p></div>',
      '',
    ),
  ),
  saved(
    'forum without rights, English',
    divided(
      'en',
      'Error',
      'Home, Forums, What’s new, Members',
      '<h1>Oops! We ran into some problems.</h1><div>You must be registered to see this thread.</div>',
      'Forum software',
    ),
  ),
  saved(
    'single sign-on, English',
    page(
      'Sign in to your account',
      '<form><div>Corvid Identity</div><div>Email, phone or Skype</div><input type="email"><a href="#">Can’t access your account?</a><button>Next</button></form><div><a href="#">Terms of use</a> <a href="#">Privacy &amp; cookies</a></div>',
      script('/x.js'),
    ),
  ),
  saved(
    'single sign-on that forwards by form',
    `<html><body onload="document.forms[0].submit()"><noscript><p>Your browser does not run scripts. Press the button to continue.</p></noscript><form method="post" action="https://idp.example/saml"><input type="hidden" name="SAMLRequest" value="fZJ"><noscript><input type="submit" value="Continue"></noscript></form></body></html>`,
  ),
  saved(
    'teacher portal, Finnish',
    card(
      'fi',
      'Kirjautuminen',
      '<h1>Kirjaudu palveluun</h1><label>Käyttäjätunnus <input></label><label>Salasana <input type="password"></label><button>Kirjaudu</button><a href="#">Unohditko salasanasi?</a>',
    ),
  ),
  saved(
    'members of a club, Italian',
    divided(
      'it',
      'Area riservata',
      'Home, Il circolo, Contatti',
      '<h1>Area riservata</h1><p>Contenuto visibile solo ai soci. Effettua l’accesso.</p>',
      '',
    ),
  ),
  saved(
    'private repository host',
    page(
      'Not authorised',
      '<h1>This project is private</h1><p>Ask its owner for an invitation, or sign in with an account that has one.</p><a href="/login">Sign in</a>',
    ),
  ),
  saved(
    'Chinese answers site',
    card(
      'zh-CN',
      '登录后查看',
      '<p>登录后可查看全部内容</p><button>手机号登录</button><button>微信登录</button>',
      script('/m.js'),
    ),
  ),
  saved(
    'Japanese members',
    card(
      'ja',
      'ログイン',
      '<h1>会員ログイン</h1><p>このページをご覧いただくには会員登録が必要です。</p><input><input type="password"><button>ログイン</button>',
    ),
  ),
]

const consents: readonly Saved[] = [
  saved(
    'pay or accept, German',
    card(
      'de',
      'Nachrichten',
      '<h1>Mit Werbung weiterlesen</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking. Oder nutzen Sie unser Pur-Angebot für 3,99 € im Monat.</p><p>Wir und unsere 812 Partner verarbeiten personenbezogene Daten.</p><button>Alle akzeptieren</button><button>Pur-Abo abschließen</button>',
    ),
  ),
  saved(
    'pay or accept, French',
    card(
      'fr',
      'Votre choix',
      '<h1>Continuer sans s’abonner</h1><p>En cliquant sur « Accepter », vous autorisez le dépôt de traceurs par nos partenaires.</p><button>Accepter et continuer</button><button>S’abonner pour 2 € par mois</button>',
    ),
  ),
  saved(
    'before you go on, Danish',
    card(
      'da',
      'Før du fortsætter',
      '<p>Vi bruger cookies til statistik og annoncer. Du kan altid ændre dit samtykke.</p><button>Tillad alle</button><button>Kun nødvendige</button>',
    ),
  ),
  saved(
    'before you go on, Finnish',
    card(
      'fi',
      'Evästeet',
      '<p>Käytämme evästeitä sivuston kehittämiseen ja mainonnan kohdentamiseen. Voit muuttaa valintaasi milloin tahansa.</p><button>Hyväksy kaikki</button><button>Vain välttämättömät</button>',
    ),
  ),
  saved(
    'before you go on, Hungarian',
    card(
      'hu',
      'Sütik',
      '<p>Weboldalunk sütiket használ. A folytatáshoz kérjük, járuljon hozzá az adatok kezeléséhez.</p><button>Elfogadom</button><button>Elutasítom</button><a href="#">Adatvédelmi tájékoztató</a>',
    ),
  ),
  saved(
    'portal of a big company, English',
    card(
      'en',
      'Arbor is part of the Arbor family of brands',
      '<p>If you click Accept all, we and our partners (238 of them) will store and access information on a device, such as your precise location and IP address, for personalised ads and content.</p><form><button>Accept all</button><button>Reject all</button><button>Manage privacy settings</button></form>',
    ),
  ),
  saved(
    'terms first',
    card(
      'en',
      'Terms of access',
      '<p>Before you enter, please confirm that you have read and accept our terms of use and privacy notice.</p><button>I accept</button><button>Leave</button>',
    ),
  ),
  saved(
    'investors only',
    card(
      'en',
      'Select your investor type',
      '<h1>Important information</h1><p>The following pages are for professional investors only. By continuing you confirm that you are one and accept the legal terms.</p><label>Country <select><option>Choose</option></select></label><button>Confirm</button>',
    ),
  ),
]

const teasers: readonly Saved[] = [
  saved(
    'teaser, German',
    page(
      'Der lange Weg zum Stadion',
      '<article><h1>Der lange Weg zum Stadion</h1><p>Seit zehn Jahren wird geplant, nun …</p><div class="pw"><h2>Weiterlesen mit Plus</h2><p>Testen Sie einen Monat für 1 €.</p><a href="#">Jetzt testen</a> <a href="#">Bereits Abonnent? Anmelden</a></div></article>',
      '',
      'de',
    ),
  ),
  saved(
    'teaser, Spanish',
    page(
      'La huerta que vuelve',
      '<article><h1>La huerta que vuelve</h1><div class="pw"><p>Este contenido es exclusivo para suscriptores.</p><p>Suscríbete desde 1 € al mes</p><a>Iniciar sesión</a></div></article>',
      '',
      'es',
    ),
  ),
  saved(
    'teaser, Norwegian',
    page(
      'Krangel om broen',
      '<article><h1>Krangel om broen</h1><div><p>For abonnenter</p><p>Kjøp abonnement for å lese hele saken.</p><p>Har du allerede abonnement? Logg inn</p></div></article>',
      '',
      'no',
    ),
  ),
  saved(
    'teaser, English quarterly',
    page(
      'The estuary',
      '<div class="lock">🔒</div><h1>The estuary</h1><p>You have reached your limit of free stories. Keep reading by becoming a supporter.</p><button>See plans</button>',
    ),
  ),
  saved(
    'teaser, Polish',
    page(
      'Rynek po remoncie',
      '<h1>Rynek po remoncie</h1><p>Ten artykuł przeczytasz tylko z prenumeratą. Wykup dostęp od 4,90 zł.</p><a href="#">Zaloguj się</a>',
      '',
      'pl',
    ),
  ),
  saved(
    'teaser, Japanese',
    page(
      '港の再開発',
      '<h1>港の再開発</h1><p>残り1,240文字</p><p>この記事は有料会員限定です。ログインすると続きをお読みいただけます。</p>',
      '',
      'ja',
    ),
  ),
  saved(
    'newsletter for those who pay',
    page(
      'Letter 42',
      '<h1>Letter 42</h1><p>This post is for paying subscribers</p><button>Subscribe</button><p>Already a paid subscriber? Sign in</p>',
    ),
  ),
  saved(
    'document behind a form',
    page(
      'White paper: cold chains',
      '<h1>White paper: cold chains</h1><p>Fill in the form to get access to the full document.</p><form><input placeholder="First name"><input placeholder="Work email"><input placeholder="Company"><button>Download now</button></form>',
    ),
  ),
]

const gates: readonly Saved[] = [
  saved(
    'brewery, Italian',
    card(
      'it',
      'Verifica dell’età',
      '<h1>Hai compiuto 18 anni?</h1><p>Per entrare nel sito devi essere maggiorenne.</p><button>Sì</button><button>No</button>',
    ),
  ),
  saved(
    'distillery, Polish',
    card(
      'pl',
      'Weryfikacja wieku',
      '<h1>Czy masz ukończone 18 lat?</h1><button>Tak</button><button>Nie</button>',
    ),
  ),
  saved(
    'tobacco, English',
    card(
      'en',
      'Restricted',
      '<h1>Adults only</h1><p>Enter your date of birth to visit this website.</p><form><input placeholder="DD"><input placeholder="MM"><input placeholder="YYYY"><button>Enter</button></form>',
    ),
  ),
  saved(
    'adult, Czech',
    card(
      'cs',
      'Vstup od 18 let',
      '<p>Tyto stránky jsou určeny pouze osobám starším 18 let.</p><button>Vstoupit</button><button>Odejít</button>',
    ),
  ),
  saved(
    'not in this land, English',
    card(
      'en',
      'Unavailable',
      '<h1>Not available where you are</h1><p>Because of licensing we cannot show you this programme in your territory.</p>',
    ),
  ),
  saved(
    'not in this land, Dutch',
    card('nl', 'Niet beschikbaar', '<p>Deze inhoud is niet beschikbaar in jouw land.</p>'),
  ),
  saved(
    'not in this land, Russian',
    bare(
      'Доступ ограничен',
      '<h1>Доступ для пользователей вашего региона ограничен</h1><p>Мы определили вашу страну по IP-адресу.</p>',
    ),
  ),
  saved(
    'American paper in Europe',
    bare(
      '451',
      '<h1>451: Unavailable due to legal reasons</h1><p>We recognize you are attempting to access this website from a country belonging to the European Economic Area and therefore access cannot be granted at this time.</p>',
    ),
  ),
  saved(
    'sanctions',
    card(
      'en',
      'Restricted territory',
      '<h2>We can’t offer our services in your jurisdiction</h2><p>Regulation keeps us from serving people in some places, and you seem to be in one.</p>',
    ),
  ),
  saved(
    'choose a country first',
    page(
      'Welcome',
      '<h1>Select your location</h1><ul><li><a href="/de">Deutschland</a></li><li><a href="/fr">France</a></li><li><a href="/it">Italia</a></li></ul>',
      script('/geo.js'),
    ),
  ),
]

const works: readonly Saved[] = [
  saved(
    'short and two-tongued',
    card(
      'en',
      'Maintenance mode',
      '<p>This website is temporarily unreachable</p><p>Diese Website ist vorübergehend nicht erreichbar</p>',
    ),
  ),
  saved(
    'scheduled, WordPress',
    bare(
      'Maintenance',
      '<p>Briefly unavailable for scheduled maintenance. Check back in a minute.</p>',
    ),
  ),
  saved(
    'shop closed for stocktaking',
    card(
      'en',
      'Store closed',
      '<h1>Opening again in a bit</h1><p>Our online store is having some work done. Leave your address and we will write when the doors are open.</p><form><input type="email"><button>Notify me</button></form>',
    ),
  ),
  saved(
    'works, Italian',
    card(
      'it',
      'Torniamo subito',
      '<p>Stiamo aggiornando il sito per offrirti un servizio migliore. Ci scusiamo per il disagio.</p>',
    ),
  ),
  saved(
    'works, French',
    card(
      'fr',
      'Site en travaux',
      '<h1>On fait peau neuve</h1><p>Notre site est momentanément indisponible. Revenez un peu plus tard.</p>',
    ),
  ),
  saved(
    'works, Greek',
    card(
      'el',
      'Συντήρηση',
      '<h1>Ο ιστότοπος είναι προσωρινά εκτός λειτουργίας</h1><p>Εκτελούνται εργασίες αναβάθμισης. Δοκιμάστε ξανά αργότερα.</p>',
    ),
  ),
  saved(
    'works, Ukrainian',
    card(
      'uk',
      'Технічні роботи',
      '<p>Сайт тимчасово недоступний. Ми вже працюємо над цим, спробуйте пізніше.</p>',
    ),
  ),
  saved(
    'works, Swedish',
    card(
      'sv',
      'Strax tillbaka',
      '<p>Vi uppdaterar webbplatsen just nu. Välkommen tillbaka om en stund!</p>',
    ),
  ),
  saved(
    'works, Korean',
    card(
      'ko',
      '시스템 점검 안내',
      '<p>더 나은 서비스를 위해 시스템 점검을 진행하고 있습니다. 이용에 불편을 드려 죄송합니다.</p><p>점검 시간: 02:00 ~ 06:00</p>',
    ),
  ),
  saved(
    'works, Chinese',
    card('zh-CN', '系统升级', '<p>系统升级维护中，暂时无法访问，请稍后再来。</p>'),
  ),
  saved(
    'works, Malay',
    card(
      'ms',
      'Penyelenggaraan',
      '<p>Maaf, laman ini sedang diselenggara. Sila cuba lagi sebentar lagi.</p>',
    ),
  ),
]

const nobody: readonly Saved[] = [
  saved(
    'registrar parks',
    card(
      'en',
      'harbourlane.example',
      '<h1>harbourlane.example</h1><p>This name was registered at Onlynames and has no website yet.</p><p>Are you its owner? Log in to set it up.</p>',
    ),
  ),
  saved(
    'registrar parks, German',
    bare(
      'Domain registriert',
      '<h1>Herzlich willkommen</h1><p>Diese Domain wurde erfolgreich für einen Kunden registriert. Hier entsteht eine neue Internetpräsenz.</p>',
    ),
  ),
  saved(
    'registrar parks, French',
    bare(
      'Bienvenue',
      '<p>Ce domaine vient d’être enregistré par l’un de nos clients. Le site n’est pas encore en ligne.</p>',
    ),
  ),
  saved(
    'registrar parks, Polish',
    bare(
      'Domena zaparkowana',
      '<p>Domena jest utrzymywana na serwerach naszej firmy. Strona w budowie.</p>',
    ),
  ),
  saved(
    'for sale, with links',
    page(
      'fernhollow.example',
      '<h1>fernhollow.example</h1><p>Interested in this name? Make an offer.</p><div>Related searches</div><ul><li><a>Cheap flights</a></li><li><a>Car insurance</a></li><li><a>Online degree</a></li></ul><p>The owner has not reviewed these ads.</p>',
      script('/park.js'),
    ),
  ),
  saved('for sale, Chinese', bare('域名出售', '<p>您访问的域名正在出售，有意者请联系。</p>')),
  saved(
    'unpaid hosting',
    bare(
      'Account suspended',
      '<h1>This account is on hold</h1><p>Contact your provider about billing.</p>',
    ),
  ),
  saved(
    'unpaid hosting, Russian',
    bare(
      'Сайт отключён',
      '<h1>Хостинг сайта приостановлен</h1><p>Если вы владелец, пополните баланс в панели управления.</p>',
    ),
  ),
  saved(
    'a fresh Caddy',
    page(
      'Caddy works!',
      '<h1>Congratulations!</h1><p>Your web server is working. Now make it work for you. Put your site files in the folder named in the configuration.</p>',
    ),
  ),
  saved(
    'a fresh Plesk',
    page(
      'Web Server’s Default Page',
      '<h1>Web Server’s Default Page</h1><p>This page is generated by the hosting panel. You see it because there is no website at this address.</p>',
    ),
  ),
  saved('a fresh Apache', bare('', '<h1>It works!</h1>')),
  saved(
    'a fresh IIS',
    bare('IIS Windows Server', '<a href="#"><img src="iisstart.png" alt="IIS"></a>'),
  ),
  saved(
    'a fresh Tomcat, not set up',
    bare(
      'Test Page for the HTTP Server',
      '<h1>Test Page</h1><p>This page is used to test the proper operation of the HTTP server after it has been installed. If you can read this page, the server is working, but has not yet been given any content.</p>',
    ),
  ),
  saved(
    'no such store on a platform',
    page(
      'Only one step left!',
      '<h1>Only one step left!</h1><p>To finish setting up your new web address, go to your domain settings, click “Connect existing domain”, and enter it.</p>',
    ),
  ),
  saved(
    'no app on a platform',
    page('No such app', '<h1>There’s nothing here, yet.</h1><p>Build something amazing.</p>'),
  ),
  saved(
    'a deployment that is gone',
    bare(
      '',
      '<p>The deployment could not be found on this edge.</p><p><code>DEPLOYMENT_NOT_FOUND</code></p><p>ID: fra1::abc-17</p>',
    ),
  ),
  saved(
    'an empty listing of files',
    bare('Index of /', '<h1>Index of /</h1><hr><pre><a href="../">../</a></pre><hr>'),
  ),
  saved(
    'soon',
    page(
      'Soon',
      '<h1>Something new is on its way</h1><div id="countdown"><span>12</span> days <span>04</span> hours</div>',
      script('/count.js'),
    ),
  ),
]

const shells: readonly Saved[] = [
  saved(
    'Flutter',
    `<!DOCTYPE html><html><head><base href="/"><title>tarn</title></head><body>${script('flutter_bootstrap.js')}</body></html>`,
  ),
  saved(
    'Blazor',
    `<html><head><title>Ledger</title></head><body><div id="app"><div class="loading">Loading…</div></div><div id="blazor-error-ui">An unhandled error has occurred. <a href="">Reload</a></div>${script('_framework/blazor.webassembly.js')}</body></html>`,
  ),
  saved(
    'Ember, with a spinner',
    `<html><head><title>Crew</title></head><body class="loading"><div class="spinner"><span>One moment</span></div>${script('/vendor.js')}${script('/crew.js')}</body></html>`,
  ),
  saved(
    'SvelteKit without rendering',
    `<html><head><title>Fold</title></head><body data-sveltekit-preload-data="hover"><div style="display: contents"></div><script>import("/_app/start.js")</script></body></html>`,
  ),
  saved(
    'a shop whose grid is skeletons',
    page(
      'Trainers',
      `<div class="nav"><a href="#">Men</a><a href="#">Women</a></div><div class="grid">${'<div class="skeleton"></div>'.repeat(12)}</div>`,
      script('/a.js') + script('/b.js') + script('/c.js') + script('/d.js'),
    ),
  ),
  saved(
    'a header, then nothing',
    page(
      'Cabins',
      `<header><a href="/">Cabins</a><nav><a href="/map">Map</a><a href="/help">Help</a></nav></header><div id="__next_content"></div><footer>© Cabins</footer>`,
      script('/1.js') + script('/2.js'),
    ),
  ),
  saved(
    'frames',
    '<html><head><title>Old club</title></head><frameset cols="200,*"><frame src="menu.htm"><frame src="main.htm"></frameset></html>',
  ),
  saved(
    'one frame, all of it',
    '<html><head><title>booking</title></head><body><iframe src="https://engine.example/x" width="100%" height="100%"></iframe></body></html>',
  ),
  saved(
    'needs scripts, Czech',
    `<html lang="cs"><head><title>Mapa</title></head><body><noscript>Pro zobrazení stránky zapněte JavaScript.</noscript><div id="map"></div>${script('/m.js')}</body></html>`,
  ),
  saved(
    'needs scripts, Japanese',
    `<html lang="ja"><head><title>予約</title></head><body><noscript>このサイトを利用するにはJavaScriptを有効にしてください。</noscript><div class="root"></div>${script('/m.js')}</body></html>`,
  ),
  saved(
    'needs scripts, seen by all',
    page(
      'App',
      '<p>This application is written in JavaScript. Your browser has it switched off, so there is nothing to show.</p>',
      script('/m.js'),
    ),
  ),
  saved(
    'loading, Spanish',
    page('Portal', '<div class="cargando">Cargando…</div>', script('/m.js'), 'es'),
  ),
  saved(
    'loading, Russian',
    page('Кабинет', '<div class="preloader">Загрузка, подождите</div>', script('/m.js'), 'ru'),
  ),
  saved(
    'templates left unfilled',
    page(
      '{{ product.name }}',
      '<div ng-app="shop"><h1>{{ product.name }}</h1><span>{{ product.price | currency }}</span><p ng-bind="product.text"></p></div>',
      script('/angular.js'),
    ),
  ),
]

const missing: readonly Saved[] = [
  saved(
    'lost astronaut',
    page(
      'Lost in space',
      '<div class="hero"><span>4</span><span>0</span><span>4</span><h2>Houston, we have a problem</h2><p>The page you were heading for has drifted off.</p><a class="btn" href="/">Beam me home</a></div>',
    ),
  ),
  saved(
    'nothing at this location',
    divided(
      'en',
      'Nothing here',
      'Blog, About, Contact',
      '<h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found at this location. Maybe try a search?</p><form><input type="search"><button>Search</button></form>',
      'Proudly powered',
    ),
  ),
  saved(
    'a listing that is sold',
    divided(
      'en',
      'Flat, Mill Road',
      'Buy, Rent, Sell, Advice',
      '<h1>This listing has been taken down</h1><p>It was sold or withdrawn by the agent.</p><a href="#">See similar homes</a>',
      '© Homes',
    ),
  ),
  saved(
    'a vacancy that is closed',
    divided(
      'en',
      'Nurse, Leeds',
      'Jobs, Employers',
      '<p>This vacancy has closed and is not taking applications any more.</p><a>Find other jobs</a>',
      '',
    ),
  ),
  saved(
    'an advertisement, Dutch',
    divided(
      'nl',
      'Advertentie',
      'Auto’s, Huis, Tuin',
      '<h1>Deze advertentie bestaat niet meer</h1><p>Misschien is het artikel al verkocht.</p>',
      '',
    ),
  ),
  saved(
    'an advertisement, Romanian',
    divided(
      'ro',
      'Anunț',
      'Auto, Imobiliare, Joburi',
      '<h1>Acest anunț nu mai este disponibil</h1><p>Vezi alte anunțuri asemănătoare.</p>',
      '',
    ),
  ),
  saved(
    'an advertisement, Czech',
    divided(
      'cs',
      'Inzerát',
      'Auta, Reality',
      '<h1>Inzerát byl smazán</h1><p>Zkuste hledat podobné nabídky.</p>',
      '',
    ),
  ),
  saved(
    'a video',
    page(
      'Video',
      '<div class="player"><p>This video isn’t available anymore</p></div><a href="/">Go to home</a>',
      script('/p.js'),
    ),
  ),
  saved(
    'a profile',
    page(
      'Sorry, this page isn’t available.',
      '<h2>Sorry, this page isn’t available.</h2><p>The link you followed may be broken, or the page may have been removed. <a href="/">Go back to Pix.</a></p>',
      script('/p.js'),
    ),
  ),
  saved(
    'a shop, German',
    divided(
      'de',
      'Ups',
      'Damen, Herren, Kinder, Sale',
      '<h1>Da ist etwas schiefgelaufen</h1><p>Die von Ihnen aufgerufene Adresse führt leider ins Leere. Nutzen Sie die Suche oder gehen Sie zurück zur Startseite.</p>',
      'Impressum AGB Datenschutz',
    ),
  ),
  saved(
    'a shop, French',
    divided(
      'fr',
      'Oups',
      'Femme, Homme, Maison',
      '<h1>Oups !</h1><p>Nous n’avons pas trouvé ce que vous cherchez. Retournez à l’accueil.</p>',
      'Mentions légales',
    ),
  ),
  saved(
    'a shop, Spanish',
    divided(
      'es',
      'Vaya',
      'Mujer, Hombre, Hogar',
      '<h1>¡Vaya! Esta página se ha perdido</h1><p>El enlace puede estar roto o la página se ha eliminado.</p>',
      'Aviso legal',
    ),
  ),
  saved(
    'a shop, Portuguese',
    divided(
      'pt',
      'Opa',
      'Ofertas, Moda, Casa',
      '<h1>Produto indisponível</h1><p>O produto que você procura não existe mais ou saiu de linha.</p>',
      'Ajuda',
    ),
  ),
  saved(
    'a shop, Italian',
    divided(
      'it',
      'Attenzione',
      'Uomo, Donna',
      '<h1>Ci dispiace, la pagina cercata non esiste</h1><p>Torna alla home page.</p>',
      'Note legali',
    ),
  ),
  saved(
    'a shop, Polish',
    divided(
      'pl',
      'Ups',
      'Moda, Dom, Dziecko',
      '<h1>Nie mamy takiej strony</h1><p>Adres jest nieprawidłowy albo oferta wygasła. Wróć na stronę główną.</p>',
      'Regulamin',
    ),
  ),
  saved(
    'a paper, Ukrainian',
    divided(
      'uk',
      '404',
      'Новини, Спорт, Культура',
      '<h1>Упс, такої сторінки немає</h1><p>Можливо, її видалили або адреса введена з помилкою. <a href="/">На головну</a></p>',
      '',
    ),
  ),
  saved(
    'a paper, Turkish',
    divided(
      'tr',
      'Hata',
      'Gündem, Spor, Ekonomi',
      '<h1>Aradığınız içerik bulunamadı</h1><p>İçerik kaldırılmış veya taşınmış olabilir. Ana sayfaya dönün.</p>',
      '',
    ),
  ),
  saved(
    'a paper, Greek',
    divided(
      'el',
      'Σφάλμα',
      'Ειδήσεις, Αθλητικά',
      '<h1>Δεν βρέθηκε</h1><p>Το άρθρο που ζητήσατε δεν υπάρχει ή έχει μεταφερθεί.</p>',
      '',
    ),
  ),
  saved(
    'a paper, Arabic',
    page(
      'خطأ',
      '<h1>عذراً</h1><p>لم نعثر على ما تبحث عنه. ربما تم حذف المحتوى أو تغيير الرابط.</p><a href="/">العودة إلى الرئيسية</a>',
      '',
      'ar',
    ),
  ),
  saved(
    'a paper, Hebrew',
    page(
      'אופס',
      '<h1>אופס, לא מצאנו את העמוד</h1><p>ייתכן שהקישור שגוי או שהתוכן הוסר. חזרה לדף הבית.</p>',
      '',
      'he',
    ),
  ),
  saved(
    'a paper, Persian',
    page(
      'خطا',
      '<h1>صفحه‌ای که دنبالش بودید وجود ندارد</h1><p>ممکن است نشانی را اشتباه وارد کرده باشید. بازگشت به خانه</p>',
      '',
      'fa',
    ),
  ),
  saved(
    'a paper, Hindi',
    page(
      'त्रुटि',
      '<h1>क्षमा करें</h1><p>आप जो पेज खोज रहे हैं वह उपलब्ध नहीं है। होमपेज पर वापस जाएँ।</p>',
      '',
      'hi',
    ),
  ),
  saved(
    'a shop, Thai',
    page(
      'ไม่พบ',
      '<h1>ขออภัย</h1><p>ไม่พบสิ่งที่คุณกำลังมองหา ลิงก์อาจหมดอายุหรือถูกลบไปแล้ว กลับสู่หน้าแรก</p>',
      '',
      'th',
    ),
  ),
  saved(
    'a shop, Vietnamese',
    page(
      'Lỗi',
      '<h1>Rất tiếc!</h1><p>Liên kết bạn truy cập không còn tồn tại hoặc đã bị xóa. Quay về trang chủ.</p>',
      '',
      'vi',
    ),
  ),
  saved(
    'a shop, Indonesian',
    page(
      'Ups',
      '<h1>Waduh, tujuanmu nggak ada!</h1><p>Mungkin kamu salah jalan atau alamat. Ayo balik sebelum gelap!</p><a href="/">Kembali ke beranda</a>',
      '',
      'id',
    ),
  ),
  saved(
    'a site, Japanese',
    page(
      'エラー',
      '<h1>指定されたページは存在しません</h1><p>URLが正しく入力されているかご確認ください。ページは移動したか、削除された可能性があります。</p><a href="/">トップへ戻る</a>',
      '',
      'ja',
    ),
  ),
  saved(
    'a site, Korean',
    page(
      '오류',
      '<h1>죄송합니다</h1><p>존재하지 않거나 삭제된 게시물입니다. 주소를 다시 확인해 주세요.</p><a href="/">홈으로</a>',
      '',
      'ko',
    ),
  ),
  saved(
    'a site, Chinese',
    page('出错了', '<p>抱歉，您访问的内容不存在或已被删除。</p><p>3 秒后返回首页</p>', '', 'zh-CN'),
  ),
  saved(
    'a site, Taiwanese',
    page(
      '找不到',
      '<h1>很抱歉，找不到您要的商品</h1><p>商品可能已下架，請回首頁重新搜尋。</p>',
      '',
      'zh-TW',
    ),
  ),
  saved(
    'a site, Danish',
    divided(
      'da',
      'Fejl',
      'Nyheder, Sport',
      '<h1>Hov, her er ikke noget</h1><p>Siden er måske flyttet eller slettet. Gå til forsiden.</p>',
      '',
    ),
  ),
  saved(
    'a site, Norwegian',
    divided(
      'no',
      'Feil',
      'Nyheter, Sport',
      '<h1>Beklager, vi finner ikke det du leter etter</h1><p>Lenken kan være utdatert.</p>',
      '',
    ),
  ),
  saved(
    'a site, Hungarian',
    divided(
      'hu',
      'Hiba',
      'Hírek, Sport',
      '<h1>Hoppá!</h1><p>A keresett tartalom nem található vagy törölték. Vissza a főoldalra.</p>',
      '',
    ),
  ),
]

const failures: readonly Saved[] = [
  saved(
    'a database is away',
    bare(
      'Error',
      '<h1>Database connection failed</h1><p>SQLSTATE[HY000] [2002] Connection refused</p>',
    ),
  ),
  saved(
    'ASP.NET',
    bare(
      'Runtime Error',
      "<h1>Server Error in '/' Application.</h1><h2><i>Runtime Error</i></h2><b>Description:</b> An application error occurred on the server. The current custom error settings for this application prevent the details of the application error from being viewed remotely.",
    ),
  ),
  saved(
    'Spring',
    bare(
      '',
      '<h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error, so you are seeing this as a fallback.</p><div>There was an unexpected error (type=Internal Server Error, status=500).</div>',
    ),
  ),
  saved(
    'Rails',
    page(
      'We’re sorry, but something went wrong',
      '<div class="dialog"><h1>We’re sorry, but something went wrong.</h1><p>If you are the application owner check the logs for more information.</p></div>',
    ),
  ),
  saved(
    'Laravel',
    page(
      'Server Error',
      '<div class="flex"><div class="code">500</div><div class="message">Server Error</div></div>',
    ),
  ),
  saved('Django', bare('Server Error (500)', '<h1>Server Error (500)</h1>')),
  saved(
    'next to nothing',
    bare(
      '',
      'upstream connect error or disconnect/reset before headers. reset reason: connection failure',
    ),
  ),
  saved('no healthy upstream', 'no healthy upstream'),
  saved(
    'Squid',
    bare(
      'ERROR: The requested URL could not be retrieved',
      '<h1>ERROR</h1><h2>The requested URL could not be retrieved</h2><p>The following error was encountered while trying to retrieve the URL:</p><p>Connection to 203.0.113.4 failed.</p><p>The system returned: (110) Connection timed out</p><p>Your cache administrator is webmaster.</p>',
    ),
  ),
  saved(
    'HAProxy',
    '<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>',
  ),
  saved(
    'Varnish',
    bare(
      '503 Backend fetch failed',
      '<h1>Error 503 Backend fetch failed</h1><p>Backend fetch failed</p><h3>Guru Meditation:</h3><p>XID: 32770</p>',
    ),
  ),
  saved(
    'a bank, Spanish',
    card(
      'es',
      'Error',
      '<p>En estos momentos no podemos atender su solicitud. Inténtelo de nuevo más tarde.</p>',
    ),
  ),
  saved(
    'a railway, German',
    card(
      'de',
      'Fehler',
      '<h1>Technischer Fehler</h1><p>Leider ist ein Problem aufgetreten. Bitte laden Sie die Seite neu.</p>',
    ),
  ),
  saved(
    'an airline, session',
    card(
      'en',
      'Expired',
      '<h1>Your session timed out</h1><p>For your security we ended it after 20 minutes of inactivity. Start a new search.</p>',
    ),
  ),
  saved(
    'old browser, French',
    card(
      'fr',
      'Navigateur obsolète',
      '<p>Votre navigateur est trop ancien pour afficher ce site. Installez une version récente de Firefox ou de Chrome.</p>',
    ),
  ),
  saved(
    'get the app',
    page(
      'Open in app',
      '<h1>Better in the app</h1><p>To see this post, open it in the Murmur app.</p><a>Open app</a><a>Download</a>',
      script('/x.js'),
    ),
  ),
  saved(
    'you are leaving',
    page(
      'Leaving',
      '<p>You are now leaving our site. You will be taken to https://other.example in 3 seconds.</p>',
      '<meta http-equiv="refresh" content="3;url=https://other.example">',
    ),
  ),
  saved(
    'moved',
    bare('Object moved', '<h2>Object moved to <a href="/default.aspx">here</a>.</h2>'),
  ),
]

export const thirdHeldWalls: readonly Saved[] = [
  ...challenges,
  ...refusals,
  ...limits,
  ...logins,
  ...consents,
  ...teasers,
  ...gates,
  ...works,
  ...nobody,
  ...shells,
  ...missing,
  ...failures,
]
