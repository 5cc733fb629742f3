// Marks in the tags and scripts of walls. None stands on pages that were let through.
import type { MarkupMark } from './mark.ts'

const pages = 'pages of protected sites'

export const markupMarks: readonly MarkupMark[] = [
  {
    vendor: 'Cloudflare challenge',
    kind: 'captcha',
    pattern:
      /window\._cf_chl_opt|cf-browser-verification|id="challenge-(?:form|running|error-text)|cf_chl_(?:prog|jschl|captcha)|\/orchestrate\/(?:chl_page|managed|jsch|captcha)\/|cf-captcha-container|\/cdn-cgi\/l\/chk_(?:captcha|jschl)/,
    source: pages,
  },
  {
    vendor: 'Cloudflare rate limit',
    kind: 'rate_limited',
    pattern: /cf-error-code">1015</,
    source: 'developers.cloudflare.com, error 1015; source of workers-sdk, limited-response.ts',
  },
  {
    vendor: 'Cloudflare block',
    pattern:
      /id=["']cf-(?:error-details|wrapper)["']|class=["'][^"']{0,40}cf-error-(?:details|overview|code|type)|cf-footer-item|cdn-cgi\/styles\/(?:cf|main)|data-translate=["'](?:block_headline|unable_to_access|blocked_why_headline)/i,
    source: 'developers.cloudflare.com, Cloudflare 1xxx errors; pages of protected sites',
  },
  {
    vendor: 'Cloudflare waiting room',
    kind: 'queue',
    pattern: /id="cf-?waiting-?room|cf-waitingroom|\/cdn-cgi\/waitingroom/i,
    source: 'developers.cloudflare.com, waiting room templates',
  },
  {
    vendor: 'Akamai',
    kind: 'captcha',
    pattern: /sec-if-cpt-container|sec-cpt-if|id="sec-bc-|scf-akamai-|bm-verify=/,
    source: pages,
  },
  {
    // Pages that were let through load these files too, for challenges that come later.
    vendor: 'Akamai',
    kind: 'captcha',
    pattern: /_sec\/(?:cp_challenge|verify\?)/,
    wordsMax: 15,
    source: pages,
  },
  {
    vendor: 'AWS WAF',
    kind: 'captcha',
    pattern: /\bgokuProps\b|AwsWafIntegration\.saveReferrer/,
    source: pages,
  },
  {
    vendor: 'DataDome',
    kind: 'captcha',
    pattern:
      /(?:geo|interstitial)\.captcha-delivery\.com\/(?:captcha|interstitial)|\/\/ct\.captcha-delivery\.com\/[ci]\.js|var dd\s{0,2}=\s{0,2}\{['"]?(?:rt|cid)|captcha-delivery\.com\/captcha/,
    source: pages,
  },
  {
    vendor: 'HUMAN',
    kind: 'captcha',
    pattern:
      /id=["']px-captcha|captcha\.px-c(?:dn|loud)\.net|px-captcha-(?:wrapper|container)|_pxBlockScript|human-challenge/,
    source: pages,
  },
  {
    vendor: 'Imperva',
    pattern:
      /_Incapsula_Resource\?(?:SWUDNSAI|CWUDNSAI|SWKMTFSR)|imperva_challenge|id="main-iframe"[^>]{0,200}_Incapsula|edet=\d{1,2}&(?:amp;)?cinfo=/i,
    source: pages,
  },
  {
    vendor: 'Kasada',
    pattern: /\/ips\.js\?(?:KP_UIDz|tkrm_|x-kpsdk)|KPSDK\.start|window\.KPSDK/i,
    wordsMax: 30,
    source: pages,
  },
  {
    vendor: 'F5',
    pattern: /security\.f5aas\.com/i,
    source: 'techdocs.f5.com, default response page of BIG-IP ASM',
  },
  {
    vendor: 'F5',
    pattern: /window\["(?:bobcmn|failureConfig)"\]|TSPD_101|\/TSPD\//,
    wordsMax: 60,
    source: 'pages; those that were let through hold it too',
  },
  {
    vendor: 'Radware',
    kind: 'captcha',
    pattern: /(?:src|action|url)=["']?(?:https?:)?\/\/(?:validate|captcha)\.perfdrive\.com/i,
    source: pages,
  },
  {
    vendor: 'Sucuri',
    pattern: /sucuri_cloudproxy_js/i,
    source: pages,
  },
  {
    vendor: 'Distil',
    pattern: /distil_(?:r_captcha|identify_cookie|ident)|dstl-captcha/i,
    source: pages,
  },
  {
    vendor: 'Vercel',
    kind: 'captcha',
    pattern: /x-vercel-challenge|\.well-known\/vercel\/security\/static\/challenge/i,
    source: 'vercel.com/docs, attack challenge mode',
  },
  {
    vendor: 'Anubis',
    kind: 'captcha',
    pattern:
      /id="anubis_(?:version|challenge|base_prefix|public_url)"|\/\.within\.website\/x\/(?:cmd\/anubis|xess)/i,
    source: 'source of Anubis, web/index.templ',
  },
  {
    vendor: 'DDoS-Guard',
    pattern: /\/\.well-known\/ddos-guard\/(?:js-challenge|mark)|data-ddg-origin/i,
    source: pages,
  },
  {
    vendor: 'Google',
    kind: 'captcha',
    pattern: /id="captcha-form"[^>]{0,80}sorry/i,
    source: 'pages of Google Search',
  },
  {
    vendor: 'Amazon',
    kind: 'captcha',
    pattern: /opfcaptcha|\/errors(?:_page)?\/validateCaptcha/i,
    source: 'pages of Amazon',
  },
  {
    vendor: 'LinkedIn',
    kind: 'login',
    pattern:
      /content="d_[a-z_]{0,20}auth_?wall|"\/authwall\?trk=|window\.location\.href\s{0,2}=\s{0,2}["'][^"']{0,60}\/authwall\?/i,
    source: 'pages of LinkedIn, status 999',
  },
  {
    vendor: 'Queue-it',
    kind: 'queue',
    pattern: /\/\/[\w-]{1,60}\.queue-it\.net\/\?c=|id="queue-it_log"|class="[^"]{0,60}queue-?it-/i,
    source: 'queue-it.com, known user implementation; pages',
  },
  {
    vendor: 'SiteGround',
    kind: 'captcha',
    pattern: /\/\.well-known\/(?:sg)?captcha\/\?/i,
    source: 'pages of hosted sites',
  },
  {
    vendor: 'Hostinger',
    pattern: /\/hcdn-cgi\/(?:jschallenge|captcha)/i,
    source: 'pages of hosted sites',
  },
  {
    vendor: 'Imunify360',
    pattern: /imunify360-webshield|I360_WEBSHIELD|name="wsidchk"|wsidchk_form/i,
    source: 'docs.imunify360.com, WebShield',
  },
  {
    vendor: 'BitNinja',
    kind: 'captcha',
    pattern: /bitninja-(?:captcha|challenge)/i,
    source: 'pages of hosted sites',
  },
  {
    vendor: 'Reblaze',
    pattern: /window\.rbzns\s{0,2}=|rbzns\.bereshit/,
    source: pages,
  },
  {
    vendor: 'Alibaba',
    kind: 'captcha',
    pattern:
      /\/_____tmd_____\/|x5secdata|errors\.aliyun\.com|id="(?:nc_\d_|nocaptcha|block_traceid)/i,
    source: 'pages of Taobao and AliExpress',
  },
  {
    vendor: 'Tencent',
    kind: 'captcha',
    pattern: /TencentCaptcha|turing\.captcha\.qcloud\.com|captcha\.(?:gtimg|qq)\.com/i,
    wordsMax: 60,
    source: 'cloud.tencent.com, integration of Captcha',
  },
  {
    vendor: 'Baidu',
    kind: 'captcha',
    pattern: /wappass\.(?:baidu|bdimg)\.com|seccaptcha\.baidu/i,
    source: 'pages of Baidu',
  },
  {
    vendor: 'Yandex',
    kind: 'captcha',
    pattern: /\/(?:check|show)captcha\?|id="checkbox-captcha-form"/i,
    source: 'pages of Yandex',
  },
  {
    vendor: 'Qrator',
    pattern: /__qrator\/qauth|qauth_handle/i,
    source: pages,
  },
  {
    vendor: 'ServicePipe',
    pattern: /servicepipe\.ru|id="id_captcha_frame_div"/i,
    source: pages,
  },
  {
    vendor: 'Fastly',
    kind: 'captcha',
    pattern: /\/_fs-ch-[\w-]{6,40}\/(?!assets\/)/,
    source: 'fastly.com/documentation, embedding challenges in pages; pages of PyPI',
  },
  {
    vendor: 'Bunny',
    kind: 'captcha',
    pattern: /\.bunny-shield\//i,
    source: pages,
  },
  {
    vendor: 'go-away',
    pattern: /\.well-known\/\.git\.gammaspectra|go-away-captcha/i,
    source: 'source of go-away',
  },
  {
    vendor: 'Azure',
    pattern: /azure-?waf-?(?:challenge|js)|afd_azwaf/i,
    source: 'learn.microsoft.com, application gateway responses',
  },
  {
    vendor: 'Fortinet',
    pattern: /fgt_lang/i,
    wordsMax: 120,
    source: 'docs.fortinet.com, replacement messages',
  },
  {
    vendor: 'InfinityFree',
    pattern: /slowAES\.decrypt|toNumbers\("[0-9a-f]{32}"\)|document\.cookie="__test=/,
    source: 'pages of hosted sites',
  },
]
