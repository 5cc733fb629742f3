// What words and class names hint at. The trees decide what each hint is worth.
import { createPieceFinder } from './find-pieces.ts'
import { hashText } from './words.ts'

const wordGroups = {
  stop: `the a an and or but of to in on at for with from by as is are was were be been being it its this that these those
    he she they we you i his her their our your my not no so if then than there here which who what when where how all
    can could will would should may might do does did has have had into over about after before more most other some such
    der die das und oder von zu im am mit ist sind war ein eine einer den dem des auf für nicht auch als an es sich bei
    le la les et ou de du des un une dans sur pour avec est sont par pas que qui au aux ce cette il elle ne se
    el los las y o del en con para por es son una su sus que no se al lo como más
    il lo gli e di da che non per con sono una della nel
    o os um uma e do da dos das em no na para com não que
    het een en van de op te dat die niet met voor zijn`,
  first: 'i my me we our us im ive ich wir je nous mon yo mi',
  second: 'you your yours du sie ihr vous votre tu tus usted',
  month: `january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août
    septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto octubre noviembre diciembre
    monday tuesday wednesday thursday friday saturday sunday`,
  ago: 'ago minute minutes min mins hour hours day days week weeks month months year years yesterday today vor tagen heures',
  cookie: 'cookie cookies consent gdpr preferences accept reject necessary analytics tracking',
  legal: `privacy policy terms conditions copyright rights reserved disclaimer imprint legal trademark trademarks impressum
    datenschutz mentions légales inc llc ltd accessibility sitemap`,
  account:
    'login log sign signin signup register account password logout forgot username member members join profile',
  subscribe: 'subscribe newsletter email inbox updates unsubscribe mail notifications abonnieren',
  social: `share tweet facebook twitter linkedin instagram pinterest whatsapp youtube tiktok reddit email copy link follow
    threads bluesky rss teilen`,
  discussion: `comment comments reply replies posted quote upvote likes liked votes vote answer answers thread topic post
    posts report joined member reputation kommentare commentaires`,
  navigation: `menu home search skip next previous prev back toggle close open top page pages navigation content main
    expand collapse`,
  more: 'read more view all see show load learn discover explore continue full less',
  related: `related recommended popular trending also might latest recent similar featured top editors picks you
    suggested viewed bought`,
  shop: `cart add buy checkout wishlist bag stock shipping delivery returns return sale off quantity order orders sold out
    warenkorb panier compare`,
  price: 'price prices usd eur gbp from save msrp regular discount per month was now',
  review: 'review reviews rating ratings star stars rated verified helpful customer customers',
  author:
    'by author written editor published updated reviewed edited contributor staff writer reporter',
  filter:
    'filter filters sort results showing items clear apply size color colour brand featured relevance per category',
  contact:
    'phone call contact address fax tel street location locations hours directions map office',
  advert: 'advertisement sponsored ads advertise advertising partner promoted anzeige affiliate',
  facts: `features specifications description details material dimensions warranty weight height width model type includes
    ingredients overview about`,
  support: 'faq faqs support help docs documentation guide guides center api reference',
  download: 'download app ios android store install mobile desktop windows mac',
  action:
    'free trial demo started book quote get now today schedule request start try consultation talk',
} as const

export const wordGroupNames = Object.keys(wordGroups) as (keyof typeof wordGroups)[]
export const stopGroup = wordGroupNames.indexOf('stop')

/** A bit for each group that the word belongs to, by the word's hash. */
const groupsOfWord = new Map<number, number>()
wordGroupNames.forEach((name, group) => {
  for (const word of wordGroups[name].split(/\s+/)) {
    const hash = hashText(word)
    groupsOfWord.set(hash, (groupsOfWord.get(hash) ?? 0) | (1 << group))
  }
})

export function wordGroupsOf(hash: number): number {
  return groupsOfWord.get(hash) ?? 0
}

const classGroups = {
  content: 'content',
  main: 'main|primary|maincol|centre|center',
  article: 'article|blog|news|story|recipe',
  post: 'post|entry|single',
  body: 'body|copy|text|paragraph|richtext|rte|wysiwyg|prose|markdown',
  comment: 'comment|disqus|discussion|respond',
  reply: 'reply|answer|thread|message|topic|forum|question|conversation',
  nav: 'nav|sitemap|skip',
  menu: 'menu|dropdown|submenu|offcanvas|drawer|hamburger',
  breadcrumb: 'crumb',
  side: 'sidebar|aside|rail|secondary|side-|-side|column-right|sticky',
  foot: 'foot|copyright|bottom|legal|colophon',
  head: 'header|masthead|topbar|top-bar|toolbar|banner|announcement',
  related:
    'relat|recommend|similar|more-|also|suggest|upsell|cross-sell|popular|trending|latest|recent|next',
  share: 'share|social|follow|facebook|twitter',
  advert: 'advert|sponsor|promo|adsense|ad-slot|dfp|taboola|outbrain|adbox|google',
  consent: 'cookie|consent|gdpr|onetrust|privacy',
  subscribe: 'newsletter|subscri|signup|sign-up|optin|mailchimp|klaviyo',
  overlay: 'modal|popup|overlay|dialog|lightbox|toast|tooltip|popover',
  widget: 'widget|plugin|module|block-|component',
  author: 'author|byline|bio|contributor|avatar|profile|user|member',
  meta: 'meta|date|time|tag|categor|info|label|badge|publish|stat',
  product: 'product|pdp|sku|variant|item-|goods',
  price: 'price|cost|amount|currency|pricing|plan',
  review: 'review|rating|star|testimonial|quote',
  description:
    'descri|detail|summary|excerpt|overview|feature|spec|about|lead|intro|abstract|subtitle|deck',
  card: 'card|tile|teaser|thumb|preview|listing|result',
  grid: 'grid|list|collection|row|col-|items|cards|catalog|feed|archive|loop',
  filter: 'filter|sort|facet|refine|pagin|pager|load-more',
  hidden: 'hidden|sr-only|visually|screen-reader|invisible|collapsed|mobile|d-none|noprint|print-',
  fold: 'tab|accordion|faq|collaps|toggle|expand|panel',
  title: 'title|heading|headline|hero',
  account: 'cart|checkout|account|login|signin|basket|wishlist|auth|minicart',
  code: 'code|highlight|syntax|snippet|docs|document|doc-|api|reference|wiki|mw-|rst|sphinx',
  contents: 'toc|contents|outline|on-this-page|anchor|scrollspy',
  figure: 'caption|figure|image|photo|gallery|media|video|credit|img',
  slider: 'carousel|slider|swiper|slick|slide|marquee|splide|flickity',
  search: 'search|form|input|field|contact',
  action: 'cta|button|btn|action|link',
  wrapper: 'wrap|container|inner|section|layout|page|site|app|root',
  location: 'location|address|map|store|locale|language|country|region|lang',
  brand: 'logo|brand|client|partner|award|trust|badge',
  signature: 'signature|sig-|rank|reputation|joined|user-info|userinfo|poster|poster',
  message: 'alert|notice|notification|message|warning|announce|loading|error',
} as const

export const classGroupNames = Object.keys(classGroups) as (keyof typeof classGroups)[]
const classGroupOf = new Map<string, number>()
classGroupNames.forEach((name, group) => {
  for (const piece of classGroups[name].split('|'))
    if (!classGroupOf.has(piece)) classGroupOf.set(piece, group)
})
const findClassPieces = createPieceFinder(classGroupOf)
export const classGroupsLow = 30

export interface ClassHints {
  /** The groups that a class attribute or an id hints at, as bits: the first thirty, and the rest. */
  readonly low: number
  readonly high: number
  /** The hashes of the parts of the names: `ProductCard--sold` is product, card and sold. */
  readonly words: readonly number[]
}

export function readClassHints(names: string): ClassHints {
  const read = names.slice(0, classCharactersMax)
  let low = 0
  let high = 0
  findClassPieces(read.toLowerCase(), (group) => {
    if (group < classGroupsLow) low |= 1 << group
    else high |= 1 << (group - classGroupsLow)
  })
  const parts = read.match(/[A-Z]?[a-z]{2,}|[A-Z]{2,}/g) ?? []
  return { low, high, words: [...new Set(parts.map(hashText))] }
}

const classCharactersMax = 400
