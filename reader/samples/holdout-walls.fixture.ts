// Walls, shells and errors that were written before the rules were read. New rules are not made for these.
import { page, type Saved, script, site } from './sample.fixture.ts'

export const heldWalls: readonly Saved[] = [
  {
    name: 'Cloudflare challenge, French',
    html: page(
      'Un instant…',
      '<div class="main-wrapper" role="main"><div class="main-content"><h1 class="zone-name-title">boutique.example</h1><h2 class="h2">Vérification de sécurité en cours</h2><p>Nous devons contrôler la connexion avant de vous laisser entrer.</p><noscript><span id="challenge-error-text">JavaScript et les cookies sont nécessaires</span></noscript></div></div><script>(function(){window._cf_chl_opt = {cvId: "3",cZone: "boutique.example",cType: "managed",cRay: "8f0c2d1aab"};var s=document.createElement("script");s.src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8f0c2d1aab";document.head.appendChild(s);}());</script>',
      '<meta http-equiv="refresh" content="360">',
      'fr',
    ),
  },
  {
    name: 'Cloudflare 1015',
    html: page(
      'Access denied | www.shop.example used Cloudflare to restrict access',
      '<div id="cf-wrapper"><div id="cf-error-details"><header><h1><span data-translate="error">Error</span> <span>1015</span></h1><span>Ray ID: 7ff2bcd1 &bull;</span> <span>2025-02-01 10:11:12 UTC</span><h2>You are being rate limited</h2></header><section><h2>What happened?</h2><p>The owner of this website (www.shop.example) has banned you temporarily from accessing this website.</p></section><div class="cf-error-footer"><p><span>Your IP: 203.0.113.7</span> <span>Performance &amp; security by <a href="https://www.cloudflare.com/5xx-error-landing">Cloudflare</a></span></p></div></div></div>',
    ),
  },
  {
    name: 'Cloudflare 521',
    html: page(
      'shop.example | 521: Web server is down',
      '<div id="cf-wrapper"><div id="cf-error-details"><h1><span>Web server is down</span> <span>Error code 521</span></h1><div>2025-02-01 10:11:12 UTC</div><div><span>You</span><h3>Browser</h3><span>Working</span></div><div><span>Amsterdam</span><h3>Cloudflare</h3><span>Working</span></div><div><span>shop.example</span><h3>Host</h3><span>Error</span></div><h2>What happened?</h2><p>The origin refuses the connection, so the page cannot be shown.</p><h2>What can I do?</h2><h3>If you are a visitor</h3><p>Come back in a few minutes.</p><h3>If you own this site</h3><p>Ask your hosting provider whether the server runs and lets Cloudflare in.</p><p>Cloudflare Ray ID: <strong>7ff2bcd1</strong> Your IP: 203.0.113.7</p></div></div>',
    ),
  },
  {
    name: 'Akamai denial, with EdgeSuite address',
    html: '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don\'t have permission to access "http&#58;&#47;&#47;www&#46;airline&#46;example&#47;fares" on this server.<P>\nReference&#32;&#35;18&#46;7d3a1602&#46;1738400000&#46;1f2e3d4c\n<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;7d3a1602&#46;1738400000&#46;1f2e3d4c</P>\n</BODY>\n</HTML>\n',
  },
  {
    name: 'Akamai behavioural challenge',
    html: `<!DOCTYPE html><html lang="en"><body>${script('/Kx9b/RtYu/pLm2/aQ/wEr5/Zx8cVb?v=abc&t=155')}<div id="sec-if-cpt-container" role="main" style="display:none"><div class="behavioral-content"><div id="sec-bc-text-container"></div><div id="sec-bc-tile-parent"><div id="sec-bc-tile-container"></div></div></div><div class="scf-akamai-logo-sec-abc"><p class ="scf-akamai-protected-by">Powered and protected by</p><a href="https://www.akamai.com/privacy">Privacy</a></div></div>${script('/public/40b35110c9d4347948')}</body></html>`,
  },
  {
    name: 'AWS WAF silent challenge',
    html: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title></title><script type="text/javascript">window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQIDAHjc","iv":"CgAE","context":"b3Blbg"};</script>${script('https://1a2b3c.4d5e6f.eu-west-1.token.awswaf.com/1a2b3c/challenge.js')}</head><body><div id="challenge-container"></div><script>AwsWafIntegration.saveReferrer();AwsWafIntegration.getToken().then(() => {window.location.reload(true);});</script><noscript><h1>JavaScript is disabled</h1>We have to check that you are not a robot. Turn JavaScript on and reload the page.</noscript></body></html>`,
  },
  {
    name: 'DataDome interstitial',
    html: `<html lang="en"><head><title>paper.example</title><style>#cmsg{animation: A 1.5s;}</style></head><body style="margin:0"><p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={'rt':'i','cid':'AHrlqAAA','hsh':'2211F522B61E269B869FA6EAFFB5E1','b':1234,'s':43337,'host':'geo.captcha-delivery.com'}</script>${script('https://ct.captcha-delivery.com/i.js')}</body></html>`,
  },
  {
    name: 'HUMAN, press and hold',
    html: page(
      'Access to this page has been denied',
      `<div class="px-captcha-container"><div class="px-captcha-header">Before we continue...</div><div class="px-captcha-message">Press and hold to confirm that you are a human (and not a bot).</div><div id="px-captcha"></div><div class="px-captcha-refid">Reference ID 1f2e3d4c-0000-11ef-9d00</div></div><script>window._pxVid='';window._pxUuid='1f2e3d4c';window._pxAppId='PXabc123';window._pxHostUrl='/abc123/xhr';</script>${script('/abc123/captcha/captcha.js?a=c&u=1f2e3d4c')}`,
      '<meta name="description" content="px-captcha">',
    ),
  },
  {
    name: 'Imperva, pardon our interruption',
    html: page(
      'Pardon Our Interruption',
      '<div class="container"><h1>Pardon Our Interruption...</h1><p>Something in the way your browser behaved looked automated to us. Possible reasons:</p><ul><li>You move through the site faster than people do.</li><li>Cookies are switched off.</li><li>A plugin keeps JavaScript from running.</li></ul><p>Switch on cookies and JavaScript, then load the page anew.</p></div><script>window.reeseSkipExpirationCheck = true;</script><script src="/rtaliuery-Doct-The-Then" async></script>',
      '<meta name="robots" content="noindex, nofollow">',
    ),
  },
  {
    name: 'Kasada',
    html: `<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!=='undefined'&&performance.now?performance.now.bind(performance):Date.now.bind(Date);KPSDK.start=KPSDK.now();</script>${script('/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?KP_UIDz=0abc&x-kpsdk-im=AAf')}</body></html>`,
  },
  {
    name: 'F5 rejection',
    html: '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 12846377591827364550<br><br><a href="javascript:history.back();">[Go Back]</a></body></html>',
  },
  {
    name: 'Cloudflare Turnstile of the site itself, Portuguese',
    html: page(
      'Verificação',
      `<main><h1>Confirme que você é humano</h1><p>Antes de continuar, complete a verificação abaixo.</p><form method="post"><div class="cf-turnstile" data-sitekey="0x4AAAA"></div><button>Continuar</button></form></main>${script('https://challenges.cloudflare.com/turnstile/v0/api.js')}`,
      '',
      'pt',
    ),
  },
  {
    name: 'a slider of Alibaba Cloud',
    html: page(
      '滑动验证页面',
      `<div id="nocaptcha"></div><div class="nc-container"><p>访问验证，请按住滑块，拖动到最右边</p></div><script>window._waf_is_mob = false; window.NVC_Opt = {appkey: "CF_APP_WAF"};</script>${script('https://g.alicdn.com/AWSC/AWSC/awsc.js')}`,
      '',
      'zh',
    ),
  },
  {
    name: 'robot check in Japanese',
    html: page(
      'ロボットではありません',
      '<div><h1>アクセスを確認しています</h1><p>通常と異なるアクセスが検出されました。続けるには画像認証を行ってください。</p><form action="/captcha"><div class="g-recaptcha" data-sitekey="6Lc"></div><input type="submit" value="送信"></form></div>',
      script('https://www.google.com/recaptcha/api.js'),
      'ja',
    ),
  },
  {
    name: 'login wall of a social site',
    html: page(
      'Log in or sign up to view',
      '<div><h1>See more from Anna</h1><p>Log in to see photos and posts from her.</p><form method="post" action="/login"><input name="email" type="text" placeholder="Email or phone"><input name="pass" type="password" placeholder="Password"><button type="submit">Log in</button></form><a href="/recover">Forgotten password?</a><a href="/signup">Create new account</a></div><footer><a href="/about">About</a> <a href="/privacy">Privacy</a> <a href="/help">Help</a></footer>',
    ),
  },
  {
    name: 'consent wall, German',
    html: page(
      'Zustimmung',
      '<div class="cmp"><h1>Willkommen</h1><p>Wir und unsere 214 Partner verarbeiten Daten mit Cookies, um Inhalte und Anzeigen zu personalisieren. Mit einem Klick auf „Alle akzeptieren“ stimmen Sie der Verarbeitung zu. Die Einwilligung kann jederzeit widerrufen werden.</p><button>Alle akzeptieren</button><button>Einstellungen</button><a href="/datenschutz">Datenschutz</a><a href="/impressum">Impressum</a></div>',
      '',
      'de',
    ),
  },
  {
    name: 'a forward by meta refresh, with a link',
    html: '<html><head><title>Redirecting…</title><meta http-equiv="Refresh" content="0; URL=https://docs.example/en/latest/index.html"><link rel="canonical" href="https://docs.example/en/latest/"></head><body><h1>Redirecting…</h1><a href="https://docs.example/en/latest/index.html">Click here if you are not redirected.</a></body></html>',
  },
  {
    name: 'SvelteKit shell',
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trips</title><link rel="modulepreload" href="/_app/immutable/entry/start.a1.js"></head><body data-sveltekit-preload-data="hover"><div style="display: contents"><script>{__sveltekit_1a2b = {base: ""};const element = document.currentScript.parentElement;Promise.all([import("/_app/immutable/entry/start.a1.js")]).then(([kit, app]) => {kit.start(app, element);});}</script></div></body></html>`,
  },
  {
    name: 'Flutter shell',
    html: `<!DOCTYPE html><html><head><base href="/"><meta charset="UTF-8"><title>counter_app</title><link rel="manifest" href="manifest.json"></head><body>${script('flutter_bootstrap.js')}<div id="loading">Loading...</div></body></html>`,
  },
  {
    name: 'soft 404 of a shop, Spanish',
    html: page(
      'Página no encontrada | Tienda',
      '<nav><a href="/">Inicio</a><a href="/ofertas">Ofertas</a><a href="/contacto">Contacto</a></nav><h1>¡Vaya! No encontramos esta página</h1><p>Puede que el enlace haya caducado o que la dirección esté mal escrita.</p><a href="/">Volver al inicio</a>',
      '',
      'es',
    ),
  },
  {
    name: 'soft 404 between header and footer',
    html: site(
      'Brookfield',
      '<h1>Sorry, we can’t find that page</h1><p>It may have moved, or the product is no longer sold. Try the search, or start again from the home page.</p>',
    ),
  },
  {
    name: 'an error of the application, status 200',
    html: page(
      'Error',
      '<h1>Something went wrong</h1><p>An unexpected error has occurred while processing your request. Please try again later.</p><p>Error ID: 9f8e7d6c5b4a</p>',
    ),
  },
  {
    name: 'maintenance, Polish',
    html: page(
      'Przerwa techniczna',
      '<h1>Trwają prace konserwacyjne</h1><p>Serwis jest chwilowo niedostępny. Przepraszamy za utrudnienia, zapraszamy później.</p>',
      '',
      'pl',
    ),
  },
  {
    name: 'enable JavaScript',
    html: page(
      'Trading desk',
      `<noscript><strong>We're sorry but Trading desk doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div>${script('/js/chunk-vendors.1a.js')}${script('/js/app.2b.js')}`,
    ),
  },
  {
    name: 'paywall stub',
    html: page(
      'Harbour plans revived - The Courier',
      '<header><a href="/">The Courier</a><a href="/login">Sign in</a></header><article><h1>Harbour plans revived</h1><p>By Ann Lee</p><p>The council will vote on Monday on…</p></article><div class="paywall"><h2>Subscribe to continue reading</h2><p>You have reached your limit of free articles. Already a subscriber? Sign in.</p><a href="/subscribe">See offers</a></div>',
    ),
  },
  {
    name: 'PHP database error',
    html: '<html><body>Error establishing a database connection</body></html>',
  },
]
