// What the fields of answers mean whose names mean the same everywhere. A field that means something else, or more,
// describes itself in its action.

type JsonSchema = Readonly<Record<string, unknown>>

export const fieldMeanings: Readonly<Record<string, string>> = {
  // What is told about an answer.
  provider: 'Who answered.',
  source: 'Where it comes from.',
  status: 'The state, in the words of who answers.',
  state: 'The state, or the state of a country: as the vendor writes it.',
  message: 'What happened, in a sentence.',
  error: 'What went wrong; absent or null if nothing did.',
  errors: 'What went wrong, one by one.',
  reason: 'Why.',
  code: 'Code of the finding or error.',
  stage: 'The step in which it was found.',
  retryable: 'Whether the same can succeed later.',
  meta: 'What the vendor tells about its answer.',
  metadata: 'What is told about it besides its content.',
  request_id: 'The vendor’s number of this request.',
  requestId: 'The vendor’s number of this request.',
  search_id: 'The vendor’s number of this search.',
  credits_consumed: 'Credits that the vendor took for it.',
  credits_used: 'Credits that the vendor took for it.',
  costDollars: 'What the vendor says that it cost, in dollars.',
  cost: 'What it cost, as the vendor tells it.',
  price_usd: 'What the seller took, in dollars.',
  total_usd: 'The whole price, in dollars.',
  basis: 'Where each field of the answer comes from.',
  // Lists and their pages.
  results: 'The rows of the answer.',
  items: 'The rows of the answer.',
  rows: 'The rows of the answer.',
  data: 'The content of the answer.',
  total: 'How many there are in all.',
  total_results: 'How many there are in all.',
  total_count: 'How many there are in all.',
  totalCount: 'How many there are in all.',
  count: 'How many there are.',
  page: 'The page, as it was asked for.',
  total_pages: 'How many pages there are.',
  pagination: 'Which page this is, and whether there are more.',
  hasNextPage: 'Whether there is another page.',
  next_page: 'The page to ask for next; null after the last one.',
  next_cursor: 'The cursor to go on with; null after the last page.',
  position: 'Place in the list.',
  score: 'How well it fits; more is better, and only rows of one answer compare.',
  // What a thing is.
  id: 'Its identifier.',
  item: 'The thing itself.',
  record: 'The record as the register has it.',
  kind: 'Its kind.',
  type: 'Its kind.',
  category: 'Its category.',
  label: 'Its name for people.',
  name: 'Its name.',
  full_name: 'First and last name.',
  display_name: 'Its name for people.',
  title: 'Its title.',
  slug: 'Its name in addresses.',
  description: 'What it is, in words.',
  summary: 'What it is about, in short.',
  abstract: 'What it is about, in the words of its authors.',
  text: 'Its text.',
  content: 'Its content.',
  markdown: 'The page as Markdown.',
  html: 'The page as HTML, without what does not matter.',
  rawHtml: 'The page as HTML, as it arrived.',
  links: 'Addresses to which the page links.',
  excerpts: 'Parts of the text that fit the question.',
  highlights: 'Parts of the text that fit the question.',
  extra_snippets: 'More parts of the text that fit the question.',
  answer: 'The answer in words.',
  query: 'The question, as it was asked.',
  author: 'Who wrote it.',
  lang: 'Its language, by its code.',
  url: 'Its address.',
  sourceURL: 'The address that was asked for.',
  html_url: 'Its page for people.',
  pdf_url: 'Its address as a PDF.',
  archived_url: 'Address of the copy in the archive.',
  domain: 'Host name of its site.',
  aliases: 'Other names.',
  pageid: 'Number of the page.',
  // Times.
  date: 'Its day.',
  timestamp: 'Its time.',
  created_at: 'When it was made.',
  publication_date: 'When it was published.',
  publication_year: 'Year of publication.',
  filing_date: 'When it was filed.',
  grant_date: 'When it was granted.',
  dateFiled: 'When it was filed.',
  start_date: 'When it began.',
  completion_date: 'When it ended, or is to end.',
  output_expires_at: 'Until when the output can be fetched.',
  year: 'Its year.',
  // Files and media.
  filename: 'Name of the file.',
  content_type: 'Media type: image/png.',
  size: 'Its size in bytes.',
  size_bytes: 'Its size in bytes.',
  width: 'Width in pixels.',
  height: 'Height in pixels.',
  duration_sec: 'Length in seconds.',
  frame_rate: 'Pictures a second.',
  percent: 'How far it is, 0 to 100.',
  chars: 'Number of characters.',
  media_id: 'Identifier of the media file.',
  render_id: 'Identifier of the rendering.',
  intent: 'What was asked for.',
  valid: 'Whether nothing is wrong with it.',
  // Work and its handles.
  job_id: 'Identifier of the job, to poll with.',
  order_id: 'Identifier of the order.',
  sandbox_id: 'Identifier of the sandbox.',
  sessionId: 'Identifier of the session.',
  repo_id: 'Identifier of the repository.',
  project_id: 'Identifier of the project.',
  message_id: 'Identifier of the message.',
  thread_id: 'Identifier of the thread of messages.',
  attachment_id: 'Identifier of the attachment.',
  company_id: 'The vendor’s number of the company.',
  endpoint: 'The endpoint that was asked.',
  // Mail.
  email: 'E-mail address.',
  from: 'Who sent it, or where it begins.',
  to: 'Who gets it, or where it ends.',
  cc: 'Who gets a copy.',
  subject: 'Subject of the message.',
  attachments: 'Files of the message.',
  in_reply_to: 'The message that it answers.',
  references: 'What it refers to.',
  verification: 'Whether the address takes mail, and how that was checked.',
  // Companies and people.
  company: 'The company.',
  companies: 'The companies.',
  organization: 'The organization.',
  address: 'The postal address.',
  qualified: 'Whether it fits what was asked for.',
  deals: 'Rounds of funding and other deals.',
  round_type: 'Kind of round: seed, series A.',
  // Public records.
  cik: 'Number of the registrant at the SEC.',
  form: 'Form type: 10-K, 8-K.',
  accession: 'Number of the filing.',
  tickers: 'Ticker symbols.',
  filings: 'The filings.',
  agencies: 'Agencies that issued it.',
  caseName: 'Name of the case.',
  court_id: 'Court, by its code.',
  citation: 'How it is cited.',
  application_number: 'Number of the application.',
  publication_number: 'Number of the publication.',
  inventors: 'Who invented it.',
  applicants: 'Who applied for it.',
  assignees: 'Who owns it.',
  doi: 'Digital object identifier.',
  authorships: 'Who wrote it, and at which institution.',
  cited_by_count: 'How many works cite it.',
  open_access: 'Whether and where it can be read for free.',
  access: 'Who may read it.',
  // Medicines, studies, recalls, vehicles, flights.
  brand_name: 'Name under which it is sold.',
  generic_name: 'Name of what is in it.',
  labeler: 'Who puts it on the market.',
  dosage_form: 'Tablet, solution and so on.',
  route: 'How it is taken.',
  active_ingredients: 'What works in it, and how much.',
  phases: 'Phases of the study.',
  conditions: 'Illnesses that are studied.',
  interventions: 'Treatments that are studied.',
  sponsor: 'Who pays for the study.',
  enrollment: 'How many people take part.',
  hazard: 'What the danger is.',
  remedy: 'What owners can do.',
  warning: 'What to watch out for.',
  make: 'Make of the vehicle.',
  model: 'The model.',
  flights: 'The flights.',
  flight: 'Numbers of the flight.',
  airline: 'The airline.',
  departure: 'Where and when it leaves.',
  arrival: 'Where and when it lands.',
  // Goods.
  products: 'The products.',
  brand: 'Its brand.',
  sku: 'Number of the article at the shop.',
  pricing: 'Its prices.',
  // Language models.
  choices: 'The answers of the model.',
  finish_reason: 'Why the model stopped.',
  input_tokens: 'Tokens that the model read.',
  output_tokens: 'Tokens that the model wrote.',
  prompt_tokens: 'Tokens that the model read.',
  completion_tokens: 'Tokens that the model wrote.',
  total_tokens: 'Tokens that the model read and wrote.',
  prompt_tokens_details: 'How the tokens that were read are made up.',
  cached_tokens: 'Tokens that were read from a cache.',
  cache_write_tokens: 'Tokens that were put into a cache.',
}

/** Keywords with values of the data instead of schemas. */
const ofData: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required'])

/** The schema with a description for each field that has none and whose name has a known meaning. */
export function describeFields(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (ofData.has(keyword)) return [keyword, value]
      const isFields = keyword === 'properties' && isSchema(value)
      return [keyword, isFields ? describeProperties(value) : describeWithin(value)]
    }),
  )
}

const describeProperties = (properties: JsonSchema) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const described = describeWithin(property)
      const meaning = Object.hasOwn(fieldMeanings, name) ? fieldMeanings[name] : undefined
      return [
        name,
        isSchema(described) && described.description === undefined && meaning !== undefined
          ? { ...described, description: meaning }
          : described,
      ]
    }),
  )

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function describeWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeWithin)
  return isSchema(value) ? describeFields(value) : value
}
