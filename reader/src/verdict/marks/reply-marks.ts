// Marks in the headers and the address of a reply.
import type { Mark } from './mark.ts'

/** Headers that only a refusal carries. Vendors also put headers on the pages that they let through; not these. */
export const headerMarks: readonly (Mark & { readonly header: string })[] = [
  {
    vendor: 'Cloudflare',
    header: 'cf-mitigated',
    pattern: /challenge|block/i,
    source: 'developers.cloudflare.com, detect a challenge page response',
  },
  {
    vendor: 'Vercel',
    header: 'x-vercel-mitigated',
    pattern: /challenge|deny/i,
    source: 'vercel.com/docs, attack challenge mode',
  },
  {
    vendor: 'AWS WAF',
    header: 'x-amzn-waf-action',
    pattern: /challenge|captcha/i,
    source: 'docs.aws.amazon.com, CAPTCHA and Challenge actions',
  },
  { vendor: 'DataDome', header: 'x-dd-b', pattern: /^[12]/, source: 'replies of protected sites' },
  { vendor: 'Radware', header: 'x-rdwr-block', pattern: /./, source: 'replies of protected sites' },
  {
    vendor: 'Sucuri',
    header: 'x-sucuri-block',
    pattern: /./,
    source: 'replies of protected sites',
  },
  {
    vendor: 'SiteGround',
    kind: 'captcha',
    header: 'sg-captcha',
    pattern: /challenge/i,
    source: 'replies of hosted sites, status 202',
  },
]

/** Addresses that walls send their visitors to. */
export const addressMarks: readonly Mark[] = [
  {
    vendor: 'Google',
    kind: 'captcha',
    pattern: /\/\/[^/]*google\.[^/]+\/sorry\//,
    source: 'redirects of Google Search',
  },
  {
    vendor: 'a captcha',
    kind: 'captcha',
    pattern: /\/(?:captcha|recaptcha|hcaptcha|sgcaptcha)(?:[/?#.]|$)/i,
    source: 'redirects of many sites',
  },
  {
    vendor: 'a check for people',
    kind: 'captcha',
    pattern:
      /\/(?:are-you-(?:a-)?human|human-verification|blocked\?url=|robot-check|validatecaptcha|splashui\/challenge)/i,
    source: 'redirects of Sam’s Club, Walmart, Amazon and eBay',
  },
  {
    vendor: 'Distil',
    pattern: /\/distil_r_(?:blocked|captcha)/i,
    source: 'redirects of protected sites',
  },
  {
    vendor: 'Cloudflare',
    pattern: /\/cdn-cgi\/(?:challenge-platform|l\/chk)/i,
    source: 'redirects of protected sites',
  },
  { vendor: 'Imperva', pattern: /\/_Incapsula_Resource/i, source: 'redirects of protected sites' },
  { vendor: 'F5', pattern: /\/TSPD\/\?type=/, source: 'redirects of protected sites' },
  {
    vendor: 'Radware',
    kind: 'captcha',
    pattern: /\/\/validate\.perfdrive\.com\//i,
    source: 'redirects of protected sites',
  },
  {
    vendor: 'Queue-it',
    kind: 'queue',
    pattern: /\.queue-it\.net\//i,
    source: 'queue-it.com, known user implementation',
  },
  {
    vendor: 'LinkedIn',
    kind: 'login',
    pattern: /linkedin\.com\/authwall\?/i,
    source: 'redirects of LinkedIn',
  },
  {
    vendor: 'Alibaba',
    kind: 'captcha',
    pattern: /\/_____tmd_____\/|\/punish\?x5secdata/i,
    source: 'redirects of AliExpress and Taobao',
  },
  {
    vendor: 'Douban',
    kind: 'captcha',
    pattern: /\/\/sec\.douban\.com\//,
    source: 'redirects of Douban',
  },
]
