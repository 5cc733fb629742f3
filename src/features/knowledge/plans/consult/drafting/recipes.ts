// How a value that the caller has not named is found by another call: data, read by draft.ts.
import type { SlotKind } from '../slots.ts'

export interface ValueRecipe {
  /** The kind of value that it finds, or the one parameter that takes it: `service/action.parameter`. */
  readonly finds: SlotKind | `${string}/${string}.${string}`
  readonly by: string
  /** Where the answer has a list of them. */
  readonly list?: string
  /** Where the value is: in each item of the list, or in the answer. */
  readonly at: string
  /** Only from a call that is in the plan for another reason. */
  readonly isByTheWay?: true
  /** What it is asked about, if the goal names one: otherwise about all that the goal says. */
  readonly about?: SlotKind
  /** Only if the caller has the file on a machine of their own. */
  readonly isOfLocalFile?: true
  /** Another action that needs no such call is preferred. */
  readonly isLastResort?: true
}

/** `own/` stands for the namespace of the gateway. */
export const recipesFor = (ownNamespace: string): readonly ValueRecipe[] =>
  recipes.map((recipe) => ({
    ...recipe,
    finds: recipe.finds.replace(/^own\//, `${ownNamespace}/`) as ValueRecipe['finds'],
    by: recipe.by.replace(/^own\//, `${ownNamespace}/`),
  }))

const firstMessage = { by: 'ns_mail/list-messages', list: '/messages', at: '/message_id' } as const

const recipes: readonly ValueRecipe[] = [
  // Companies and their filings.
  { finds: 'CIK', by: 'ns_filings/entities', list: '/entities', at: '/cik', about: 'company' },
  {
    finds: 'ns_filings/document.accession',
    by: 'ns_filings/filings',
    list: '/filings',
    at: '/accession',
  },
  {
    finds: 'ns_filings/document.filename',
    by: 'ns_filings/filings',
    list: '/filings',
    at: '/primaryDocument',
  },
  {
    finds: 'EIN',
    by: 'ns_nonprofit/nonprofit_search',
    list: '/organizations',
    at: '/ein',
    about: 'company',
  },
  { finds: 'ns_funding/deal-investors.id', by: 'ns_funding/deals', list: '/deals', at: '/id' },
  {
    finds: 'domain',
    by: 'ns_company/lookalikes',
    list: '/results',
    at: '/domain',
    isByTheWay: true,
  },
  // People and their contacts.
  {
    finds: 'LinkedIn profile',
    by: 'own/onefind',
    list: '/people',
    at: '/linkedin',
    about: 'person',
  },
  { finds: 'e-mail address', by: 'ns_email_a/email-finder', at: '/email' },
  {
    finds: 'e-mail address',
    by: 'ns_email_a/domain-search',
    list: '/emails',
    at: '/email',
    isByTheWay: true,
  },
  { finds: 'e-mail address', by: 'ns_email_a/linkedin-finder', at: '/email', isByTheWay: true },
  {
    finds: 'e-mail address',
    by: 'ns_contact/linkedin-contacts',
    at: '/profile/work_email',
    isByTheWay: true,
  },
  {
    finds: 'LinkedIn profile',
    by: 'ns_contact/people-search',
    list: '/profiles',
    at: '/url',
    isByTheWay: true,
  },
  {
    finds: 'LinkedIn profile',
    by: 'ns_contact/person-from-email',
    at: '/profile/url',
    isByTheWay: true,
  },
  { finds: 'person', by: 'own/onefind', list: '/people', at: '/name', isByTheWay: true },
  { finds: 'ns_mail/reply.message_id', ...firstMessage },
  { finds: 'ns_mail/get-message.message_id', ...firstMessage },
  // Pages and documents.
  { finds: 'URL', by: 'own/map', list: '/urls', at: '', isByTheWay: true },
  { finds: 'URL', by: 'ns_semantic/search', list: '/results', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_rag/search', list: '/results', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_cite/search', list: '/sources', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_indep/news', list: '/results', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_press/news', list: '/articles', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_filings/fulltext', list: '/hits', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_filings/filings', list: '/filings', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_courts/cases', list: '/results', at: '/url', isByTheWay: true },
  { finds: 'URL', by: 'ns_media/generate', at: '/output_url', isByTheWay: true },
  { finds: 'URL', by: 'files/get', at: '/get_url', isOfLocalFile: true },
  { finds: 'file', by: 'files/upload', at: '/file_id', isOfLocalFile: true },
  { finds: 'URL', by: 'own/onesearch', list: '/evidence', at: '/url', isLastResort: true },
  { finds: 'ns_archive/fetch.timestamp', by: 'ns_archive/available', at: '/closest/timestamp' },
  { finds: 'file', by: 'files/upload_from_url', at: '/file_id' },
  // Open records, each by its search.
  { finds: 'DOI', by: 'ns_scholar/works', list: '/results', at: '/doi' },
  { finds: 'ns_trials/get.id', by: 'ns_trials/search', list: '/results', at: '/id' },
  { finds: 'ns_drugs/get.id', by: 'ns_drugs/search', list: '/results', at: '/id' },
  { finds: 'ns_recalls/get.id', by: 'ns_recalls/search', list: '/results', at: '/id' },
  { finds: 'ns_vehicles/get.id', by: 'ns_vehicles/search', list: '/results', at: '/id' },
  { finds: 'Wikidata id', by: 'ns_knowledge/search', list: '/results', at: '/id' },
  {
    finds: 'ns_encyclopedia/page.title',
    by: 'ns_encyclopedia/search',
    list: '/results',
    at: '/title',
    about: 'person',
  },
  {
    finds: 'ns_fedrules/document.document_number',
    by: 'ns_fedrules/search',
    list: '/results',
    at: '/document_number',
  },
  { finds: 'CFR citation', by: 'ns_regs/search', list: '/results', at: '/citation' },
  {
    finds: 'ns_sneakers/product-detail.id',
    by: 'ns_sneakers/product-search',
    list: '/products',
    at: '/id',
  },
  {
    finds: 'ns_sneakers/sales-history.id',
    by: 'ns_sneakers/product-search',
    list: '/products',
    at: '/id',
  },
  // Things that must be opened before they are used.
  {
    finds: 'ns_sandbox/sandbox-exec.sandbox_id',
    by: 'ns_sandbox/sandbox-create',
    at: '/sandbox_id',
  },
  {
    finds: 'ns_sandbox/sandbox-terminate.sandbox_id',
    by: 'ns_sandbox/sandbox-create',
    at: '/sandbox_id',
    isByTheWay: true,
  },
  ...['ns_media/generate', 'ns_llm_b/image-generate'].map(
    (by): ValueRecipe => ({
      finds: 'ns_media/generate.image_url',
      by,
      at: '/output_url',
      isByTheWay: true,
    }),
  ),
  { finds: 'own/search-index.index_id', by: 'own/index-site', at: '/index_id', isByTheWay: true },
  {
    finds: 'ns_archive/fetch.timestamp',
    by: 'ns_archive/snapshots',
    list: '/snapshots',
    at: '/timestamp',
    isByTheWay: true,
  },
  {
    finds: 'own/read-document.file_id',
    by: 'files/upload_from_url',
    at: '/file_id',
    isByTheWay: true,
  },
  { finds: 'project', by: 'ns_assembler/create_project', at: '/id' },
  { finds: 'ns_par/task-status.run_id', by: 'ns_par/task', at: '/run_id' },
  { finds: 'ns_captcha/result.taskId', by: 'ns_captcha/solve', at: '/taskId' },
  { finds: 'ns_assembler/media_status.media_id', by: 'ns_assembler/upload', at: '/media_id' },
  { finds: 'ns_mail/send.inbox_id', by: 'ns_mail/create_inbox', at: '/inbox_id' },
]

/** A call that checks what another has found. The first that is available counts. */
export interface ValueCheck {
  readonly checks: SlotKind
  readonly by: string
  /** The parameter for the value. */
  readonly takes: string
}

export const verifications: readonly ValueCheck[] = [
  { checks: 'e-mail address', by: 'ns_email_a/email-verifier', takes: 'email' },
  { checks: 'e-mail address', by: 'ns_contact/email-verify', takes: 'email' },
]

/** Which kinds of values a parameter of this name takes, the best first. */
export const parameterKinds: Readonly<Record<string, readonly SlotKind[]>> = {
  ...kindsOf(
    ['URL', 'domain'],
    [
      'url',
      'urls',
      'startUrls',
      'productUrls',
      'postUrls',
      'postURLs',
      'targetUrls',
      'file_url',
      'image_url',
      'video_url',
      'audio_url',
    ],
  ),
  ...kindsOf(['domain'], ['domain', 'company_domain', 'seed_domains']),
  ...kindsOf(['e-mail address'], ['email', 'emails', 'buyer_email']),
  ...kindsOf(['person'], ['full_name', 'person_name']),
  ...kindsOf(['airport'], ['iataCode']),
  ...kindsOf(['handle'], ['username', 'github_username']),
  ...kindsOf(['handle', 'listed name'], ['usernames', 'user_names']),
  ...kindsOf(['hashtag'], ['hashtags']),
  ...kindsOf(['file', 'job or transaction id', 'id'], ['file_id', 'image_file_ids']),
  ...kindsOf(['project', 'id'], ['project_id']),
  ...kindsOf(['quotation'], ['title', 'command', 'roast']),
  ...kindsOf(
    ['subject'],
    [
      'q',
      'query',
      'search',
      'searchQueries',
      'searchQuery',
      'searchTerms',
      'searchStringsArray',
      'keywords',
      'keyword',
      'term',
      'prompt',
      'input',
      'objective',
      'tech',
      'activity',
      'position',
      'jobTitles',
      'job_title',
      'job_title_or',
      'name',
      'text',
    ],
  ),
  profile: ['LinkedIn profile'],
  social_media_url: ['LinkedIn profile', 'URL'],
  company: ['domain', 'company', 'subject'],
  company_name: ['company'],
  domainOrCompany: ['domain', 'company'],
  organization: ['company', 'subject'],
  to: ['telephone', 'e-mail address'],
  cik: ['CIK'],
  ein: ['EIN'],
  ndc: ['NDC'],
  asins: ['ASIN'],
  doi: ['DOI'],
  flight_iata: ['flight number'],
  citation: ['CFR citation'],
  companies: ['domain', 'listed name'],
  inbox_id: ['inbox'],
  message_id: ['message id', 'id'],
  job_id: ['job or transaction id', 'id'],
  transaction_id: ['job or transaction id'],
  run_id: ['run id', 'id'],
  phone: ['telephone'],
  latitude: ['latitude'],
  longitude: ['longitude'],
  'ns_enrich/person-enrich.name': ['person'],
  'ns_enrich/person-enrich.company': ['company', 'domain'],
}

function kindsOf(kinds: readonly SlotKind[], names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, kinds]))
}

/** Parameters that say what a search is about, for actions that need at least one parameter and require none. */
export const subjectParameters = [
  'query',
  'q',
  'search',
  'term',
  'keywords',
  'company',
  'job_title_or',
  'job_title',
  'title',
  'name',
] as const

/** Parameters that say what to do, for actions that refuse a call without any of several. */
export const taskParameters = [
  'prompt',
  'activity_question',
  'query',
  'job_title_or',
  'messages',
] as const

/** What stands for values that only the caller's machine knows. None of them can be taken for a value of a caller. */
export const standIns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'files/upload': { filename: 'your-file', size_bytes: 0 },
  'ns_media/upload': { file_name: 'your-file', content_type: 'application/octet-stream' },
  'ns_print/validate': { pdf: 'data:application/pdf;base64,' },
}

/** A free call that comes first where what it finds is not known, because the second one cannot be undone. */
export interface Preparation {
  readonly before: string
  readonly by: string
  /** Parameters of the second call. */
  readonly finds: readonly string[]
}

export const preparations: readonly Preparation[] = [
  { before: 'ns_wine/purchase', by: 'ns_wine/catalog', finds: ['product', 'product_id'] },
  { before: 'ns_jewelry/purchase', by: 'ns_jewelry/catalog', finds: ['sku', 'product_slug'] },
  { before: 'ns_postcard/send', by: 'ns_postcard/github-profile', finds: ['roast'] },
  { before: 'ns_print/order', by: 'ns_print/validate', finds: ['order_id'] },
  { before: 'ns_market/run', by: 'ns_market/search', finds: ['agent_id'] },
]

/**
 * Settings of an action that follow from how the goal is worded. The first that fits counts, and the last one always
 * fits.
 */
export interface WordedSettings {
  readonly asks: RegExp
  readonly params: Readonly<Record<string, unknown>>
  /** The parameter that takes what the goal is about. */
  readonly subject: string
}

export const wordedSettings: Readonly<Record<string, readonly WordedSettings[]>> = {
  'ns_media/generate': [
    {
      asks: /\b(?:aloud|out loud|speech|spoken|voice|narrat\w+|say this|read this|vor(?:lesen)?|stimme|voix|voz|voce|stem|głos)\b|вслух|голос|朗读|语音|読み上げ|音声/iu,
      params: { model: 'elevenlabs/tts/turbo-v2.5' },
      subject: 'text',
    },
    {
      asks: /\b(?:music|song|jingle|tune|melody|beat|soundtrack|ukulele|guitar|piano|musik|lied|musique|chanson|música|canción|musica|canzone|muziek)\b|музык|песн|音乐|歌曲|音楽/iu,
      params: { model: 'ace-step/prompt-to-audio' },
      subject: 'prompt',
    },
    {
      asks: /\banimate\b|\b(?:image|picture|photo|it|this|that|them) (?:in)?to (?:an? )?(?:video|clip|film)\b/iu,
      params: { model: 'pixverse/v6/image-to-video' },
      subject: 'prompt',
    },
    {
      asks: /\b(?:video|clip|film|movie|footage|animation|vídeo|filmpje|vidéo)\b|видео|视频|動画/iu,
      params: { model: 'pixverse/v6/text-to-video' },
      subject: 'prompt',
    },
    { asks: /(?:)/u, params: { model: 'flux/dev' }, subject: 'prompt' },
  ],
}
