// Pages with nothing in them: shells, forms, forwards, errors answered with status 200.
import { page, type Saved, script, site } from './sample.fixture.ts'

export const emptyPages: readonly Saved[] = [
  {
    name: 'login wall',
    html: page(
      'Sign in - Ledger',
      '<main><h1>Sign in</h1><p>Sign in to continue to Ledger</p><form method="post" action="/session"><label>Email<input type="email" name="email"></label><label>Password<input type="password" name="password"></label><label><input type="checkbox"> Remember me</label><button>Sign in</button></form><p><a href="/password/new">Forgot password?</a> <a href="/join">New here? Create an account</a></p></main>',
    ),
  },
  {
    name: 'login wall, French',
    html: page(
      'Connexion',
      '<h1>Connexion</h1><p>Vous devez être connecté pour voir cette page.</p><form method="post"><input name="u" placeholder="Identifiant"><input type="password" name="p" placeholder="Mot de passe"><button>Se connecter</button></form><a href="/oubli">Mot de passe oublié ?</a>',
      '',
      'fr',
    ),
  },
  {
    name: 'members only, without a form',
    html: page(
      'Members only',
      '<h1>Members only</h1><p>You must be logged in to view this page. Please log in or register.</p><a href="/login">Log in</a> <a href="/register">Register</a>',
    ),
  },
  {
    name: 'consent wall',
    html: page(
      'Before you continue',
      '<div><h1>Before you continue</h1><p>We use cookies and data to deliver and maintain services, track outages, protect against spam, and measure audience engagement.</p><p>If you choose "Accept all", we will also use cookies to develop new services and to show personalised ads.</p><form action="/save" method="POST"><button>Reject all</button></form><form action="/save" method="POST"><button>Accept all</button></form><a href="/more">More options</a></div>',
    ),
  },
  {
    name: 'consent wall, Dutch',
    html: page(
      'Cookies',
      '<div><h1>Cookies op deze site</h1><p>Wij gebruiken cookies om onze website te verbeteren. Geef toestemming om verder te gaan.</p><button>Akkoord</button><a href="/instellingen">Instellingen wijzigen</a></div>',
      '',
      'nl',
    ),
  },
  {
    name: 'age gate',
    html: page(
      'Age verification',
      '<h1>Are you over 18?</h1><p>You must be of legal drinking age to enter this site.</p><button>Yes, enter</button><button>No</button>',
    ),
  },
  {
    name: 'meta refresh',
    html: '<html><head><meta http-equiv="refresh" content="0;url=/en/"></head><body></body></html>',
  },
  {
    name: 'forward by script',
    html: '<html><head><title>Redirecting...</title><script>window.location.replace("/home?s=1");</script></head><body><p>Redirecting...</p></body></html>',
  },
  {
    name: 'React shell',
    html: page(
      'React App',
      '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>',
      script('/static/js/main.1a2b.js'),
    ),
  },
  {
    name: 'Nuxt shell',
    html: page(
      'Fleet',
      `<div id="__nuxt"></div><div id="teleports"></div><script type="application/json" id="__NUXT_DATA__">[{"serverRendered":1},false]</script><script>window.__NUXT__={};window.__NUXT__.config={public:{},app:{baseURL:"/"}}</script>`,
      '<script type="module" src="/_nuxt/entry.9c.js" crossorigin></script>',
    ),
  },
  {
    name: 'Angular shell',
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Console</title><base href="/"></head><body><app-root><div class="splash">Loading…</div></app-root>${script('runtime.a.js')}${script('polyfills.b.js')}${script('main.c.js')}</body></html>`,
  },
  {
    name: 'Ember shell',
    html: page(
      'Tickets',
      `<div id="ember-basic-dropdown-wormhole"></div>${script('/assets/vendor.js')}${script('/assets/tickets.js')}`,
      '<meta name="tickets/config/environment" content="%7B%7D">',
    ),
  },
  {
    name: 'shell with skeleton and cookie note',
    html: page(
      'Explore',
      `<div id="root"><div class="skeleton"></div><div class="skeleton"></div><div role="status">Loading…</div></div><div class="cookies">This site uses cookies. <button>OK</button></div>${script('/bundle.js')}`,
    ),
  },
  {
    name: 'shell with header and footer',
    html: site('Brookfield', `<div id="product-root" data-loading="true"></div>${script('/p.js')}`),
  },
  {
    name: 'frameset',
    html: '<html><head><title>Welcome</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html"><noframes>Your browser does not support frames.</noframes></frameset></html>',
  },
  {
    name: 'soft 404 in a site’s dress',
    html: site(
      'Page not found | Brookfield',
      '<h1>Page not found</h1><p>The page you are looking for does not exist or has been moved. Check the address, or go back to the home page.</p><a class="button" href="/">Go to the home page</a>',
    ),
  },
  {
    name: 'soft 404, German',
    html: page(
      'Seite nicht gefunden',
      '<h1>Fehler 404</h1><p>Die gesuchte Seite wurde leider nicht gefunden. Vielleicht haben Sie sich vertippt.</p><a href="/">Zur Startseite</a>',
      '',
      'de',
    ),
  },
  {
    name: 'soft 404, Russian',
    html: page(
      'Страница не найдена',
      '<h1>Ошибка 404</h1><p>К сожалению, запрашиваемая страница не существует или была удалена.</p><a href="/">На главную</a>',
      '',
      'ru',
    ),
  },
  {
    name: 'soft 404, Chinese',
    html: page(
      '页面不存在',
      '<h1>404</h1><p>抱歉，您访问的页面不存在或已被删除。</p><a href="/">返回首页</a>',
      '',
      'zh',
    ),
  },
  {
    name: 'soft 404, Arabic',
    html: page(
      'الصفحة غير موجودة',
      '<h1>عذرًا، الصفحة غير موجودة</h1><p>ربما تم نقل الصفحة التي تبحث عنها أو حذفها.</p><a href="/">العودة إلى الرئيسية</a>',
      '',
      'ar',
    ),
  },
  {
    name: 'soft 404, Italian',
    html: page(
      'Pagina non trovata',
      '<h1>Pagina non trovata</h1><p>La pagina richiesta non esiste o è stata spostata.</p><a href="/">Torna alla home</a>',
      '',
      'it',
    ),
  },
  {
    name: 'product gone',
    html: site(
      'Brookfield',
      '<h1>This product is no longer available</h1><p>Sorry, the item you are looking for has been removed.</p>',
    ),
  },
  {
    name: 'no results',
    html: site(
      'Search results | Brookfield',
      '<h1>No results found</h1><p>We couldn’t find anything for “xqzv”. Check the spelling or try other words.</p>',
    ),
  },
  {
    name: 'Apache 404 with status 200',
    html: '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><p>The requested URL /x was not found on this server.</p><hr><address>Apache/2.4.41 (Ubuntu) Server at x.example Port 443</address></body></html>',
  },
  {
    name: 'nginx gateway',
    html: '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.18.0</center></body></html>',
  },
  {
    name: 'WordPress critical error',
    html: page(
      'WordPress &rsaquo; Error',
      '<div class="wp-die-message"><p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p></div>',
    ),
  },
  {
    name: 'PHP fatal error',
    html: '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function foo() in /var/www/html/index.php:12\nStack trace:\n#0 {main}\n  thrown in <b>/var/www/html/index.php</b> on line <b>12</b><br />',
  },
  {
    name: 'maintenance',
    html: page(
      'Down for maintenance',
      '<h1>We’ll be back soon!</h1><p>Sorry for the inconvenience. We’re performing some maintenance at the moment and will be back online shortly.</p><p>— The Team</p>',
    ),
  },
  {
    name: 'maintenance, Portuguese',
    html: page(
      'Site em manutenção',
      '<h1>Site em manutenção</h1><p>Estamos realizando melhorias. Voltaremos em breve.</p>',
      '',
      'pt',
    ),
  },
  {
    name: 'enable JavaScript, French',
    html: page(
      'Banque',
      `<noscript><p>Veuillez activer JavaScript pour utiliser ce site.</p></noscript><p>Veuillez activer JavaScript dans votre navigateur pour continuer.</p>${script('/a.js')}`,
      '',
      'fr',
    ),
  },
  {
    name: 'enable JavaScript, tracker of a social site',
    html: page(
      'X',
      `<div id="placeholder"></div><div id="react-root"></div><noscript><div><h1>JavaScript is not available.</h1><p>We’ve detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser to continue.</p><a href="/help">Help Center</a></div></noscript>${script('/main.js')}`,
    ),
  },
  {
    name: 'browser not supported',
    html: page(
      'Update your browser',
      '<h1>Your browser is not supported</h1><p>Please upgrade to a recent version of Chrome, Firefox, Safari or Edge to use this site.</p>',
    ),
  },
  {
    name: 'paywall stub',
    html: page(
      'Rates rise again | Daily Post',
      '<header><a href="/">Daily Post</a><a href="/login">Log in</a></header><article><h1>Rates rise again</h1><p>The central bank…</p></article><section><h2>This article is for subscribers only</h2><p>Subscribe now for full access. €1 for the first month. Cancel anytime.</p><button>Subscribe</button></section>',
    ),
  },
  {
    name: 'paywall stub, German',
    html: page(
      'Neuer Bahnhof - Tagblatt',
      '<article><h1>Neuer Bahnhof</h1><p>Der Umbau beginnt …</p></article><div><h2>Weiterlesen mit Plus</h2><p>Dieser Artikel ist nur für Abonnenten. Jetzt Abo abschließen und weiterlesen.</p><a href="/abo">Zum Abo</a></div>',
      '',
      'de',
    ),
  },
  {
    name: 'parked domain',
    html: page(
      'mill-town.example',
      '<h1>mill-town.example</h1><p>This domain is for sale. Buy this domain.</p><script src="https://parking.example/a.js"></script>',
    ),
  },
  {
    name: 'default page of a web server',
    html: page(
      'Welcome to nginx!',
      '<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p>',
    ),
  },
  {
    name: 'session expired',
    html: page(
      'Session expired',
      '<h1>Your session has expired</h1><p>Please log in again to continue.</p><a href="/login">Log in</a>',
    ),
  },
]
