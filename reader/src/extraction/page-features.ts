// What is the same for all blocks of a page: what kind of page it is.
import { capped, pageBlocksMax, pageElementsMax, pageWordsMax } from './caps.ts'
import type { FeatureGroup } from './feature-group.ts'
import type { PageMeasures } from './page-measures.ts'

const linkedKinds: readonly (readonly [string, RegExp])[] = [
  ['article', /article|posting|report|recipe|howto/i],
  ['product', / product|offer/i],
  ['discussion', /discussion|qapage|question|answer|comment/i],
  ['list', /itemlist|collection|searchresults/i],
  ['faq', /faqpage/i],
  ['organization', /organization|localbusiness|service|corporation/i],
]
const addressKinds: readonly (readonly [string, RegExp])[] = [
  ['product', /\/(?:products?|p|dp|item|ip|shop)\/|\/product|-p-?\d+/i],
  ['collection', /\/(?:collections?|category|categories|c|shop|browse|cat|s|b)\//i],
  [
    'forum',
    /forum|thread|topic|discuss|community|\/t\/|\/comments\/|question|viewtopic|showthread/i,
  ],
  ['article', /blog|news|article|\/20\d\d\/|stories|story|post/i],
  ['documentation', /docs?[./]|documentation|reference|\/api\/|guide|manual|wiki|learn|developer/i],
  ['service', /service|solution|pricing|about|features|platform|contact/i],
  ['listing', /list|search|jobs|best|directory|tag|topics|archive|events|rank|chart|\?/i],
]
const openGraphKinds = ['article', 'product', 'website', 'profile']
const counted = ['article', 'h2', 'li', 'table', 'form', 'time', 'pre', 'p', 'section', 'button']

const names = [
  'page blocks',
  'page words',
  'page link share',
  'page prose share',
  'page words per block',
  'page currencies',
  'page replies',
  'page title words',
  'page description words',
  'page open graph type',
  'page share of best',
  'page block share of best',
  'address depth',
  'address last words',
  'address digits',
  'page longest block',
  ...counted.map((name) => `page ${name} elements`),
  ...linkedKinds.map(([name]) => `linked data on ${name}`),
  ...addressKinds.map(([name]) => `address of ${name}`),
]

export const pageFeatures: FeatureGroup = {
  names,
  prepare(page) {
    const values = new Float32Array(valuesOf(page))
    return (_block, row, at) => {
      row.set(values, at)
      return at + values.length
    }
  },
}

function valuesOf(page: PageMeasures): number[] {
  const { head, url, nameCounts } = page
  const { blocks } = page.tree
  const words = Math.max(1, page.words[0] as number)
  const best = page.containers[0]?.node ?? 0
  const segments = (url?.pathname ?? '/').split('/').filter((segment) => segment !== '')
  const address = url === null ? '' : `${url.hostname}${url.pathname}${url.search}`
  const currencies = blocks.filter((block) => block.currencies > 0 && block.numbers > 0).length
  const replies = page.tree.hintsLow.filter((hints) => (hints & replyBits) !== 0).length
  return [
    capped(blocks.length, pageBlocksMax),
    capped(words, pageWordsMax),
    (page.linkWords[0] as number) / words,
    (page.proseWords[0] as number) / words,
    words / Math.max(1, blocks.length),
    currencies / Math.max(1, blocks.length),
    replies / Math.max(1, blocks.length),
    page.titleWords.size,
    page.descriptionWords.size,
    openGraphKinds.findIndex((kind) => head.openGraphType.includes(kind)),
    (page.words[best] as number) / words,
    (page.blockCounts[best] as number) / Math.max(1, blocks.length),
    segments.length,
    (segments.at(-1) ?? '').split(/[-_]/).length,
    address.replace(/\D/g, '').length,
    blocks.reduce((most, block) => Math.max(most, block.words), 0),
    ...counted.map((name) => capped(nameCounts.get(name) ?? 0, pageElementsMax)),
    ...linkedKinds.map(([, pattern]) => (pattern.test(head.linkedTypes) ? 1 : 0)),
    ...addressKinds.map(([, pattern]) => (pattern.test(address) ? 1 : 0)),
  ]
}

/** The class groups of comments and replies, which are the sixth and seventh. */
const replyBits = (1 << 5) | (1 << 6)
