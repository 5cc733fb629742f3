// Shops, places and job boards. See table-row.ts for what the fields mean.
import type { PlatformRow } from './lib/table-row.ts'

export const commerce: readonly PlatformRow[] = [
  {
    id: 'airbnb/listing',
    summary: 'Get the public details of a holiday home from its Airbnb page.',
    notes:
      'One address, one home. No actor is set from the start: the operator names one in PLATFORM_ACTORS. For other travel sites use scraping/scrape.',
    synonyms: ['airbnb', 'holiday rental', 'vacation home', 'short-term rental', 'room details'],
    questions: [
      'what does this apartment offer and what does it cost a night?',
      'how is this holiday flat rated?',
      'how many guests fit into that cabin?',
    ],
    identifier: 'url',
    form: 'url',
    describe: 'Address of the listing.',
    rowsMax: 100,
    example: 'https://www.airbnb.com/rooms/12345678',
  },
  {
    id: 'amazon/products',
    summary: 'Get title, price, rating and stock of Amazon products by ASIN or address.',
    notes:
      'Send ASINs or product addresses, many at once. For what buyers say use amazon/reviews; for other shops scraping/scrape.',
    synonyms: ['amazon', 'asin', 'product price', 'product details', 'buy box'],
    questions: [
      'what does this item cost on the marketplace right now?',
      'is the product with this ASIN in stock?',
      'compare the ratings of these three headphones',
    ],
    identifier: 'asins',
    form: 'texts',
    describe: 'ASINs or product addresses.',
    actor: 'junglee/amazon-asins-scraper',
    rowsMax: 500,
    example: ['B08N5WRWNW'],
  },
  {
    id: 'amazon/reviews',
    summary: 'Get what buyers have written about Amazon products.',
    notes:
      'Text, stars and date of each review, newest first as a rule. For price and stock use amazon/products.',
    synonyms: [
      'amazon reviews',
      'reviews of a product',
      'customer reviews',
      'buyer opinions',
      'star ratings',
      'complaints',
    ],
    questions: [
      'what do buyers complain about with this blender?',
      'what do people like about this book?',
      'summarize the one-star opinions on that charger',
    ],
    identifier: 'productUrls',
    form: 'urlObjects',
    describe: 'Product addresses, as objects with url.',
    actor: 'junglee/amazon-reviews-scraper',
    limit: { field: 'maxReviews', each: true },
    rowsMax: 1_000,
    example: [{ url: 'https://www.amazon.com/dp/B08N5WRWNW' }],
  },
  {
    id: 'google_maps/places',
    summary: 'Find businesses and places on Google Maps with address, phone, site and rating.',
    notes:
      'Send searches as people type them into the map, such as dentist in Lyon. To read the site of a business use scraping/scrape. For the people behind a business go on with ns_contact/people-search.',
    synonyms: [
      'google maps',
      'local businesses',
      'places',
      'store locator',
      'opening hours',
      'restaurants',
      'hotels',
    ],
    questions: [
      'which dentists are there in Lyon?',
      'phone numbers of all bakeries in this town',
      'what are the best rated garages near the airport?',
    ],
    identifier: 'searchStringsArray',
    form: 'texts',
    describe: 'Searches, as typed into the map.',
    actor: 'compass/crawler-google-places',
    limit: { field: 'maxCrawledPlacesPerSearch', each: true },
    rowsMax: 1_000,
    example: ['dentist in Lyon'],
  },
  {
    id: 'indeed/jobs',
    summary: 'Find open positions on Indeed by job title.',
    notes:
      'One job title, with a place if you like. For LinkedIn use linkedin/jobs, for postings of given companies with filters ns_jobs/jobs.',
    synonyms: ['indeed', 'job ads', 'vacancies', 'job board', 'open positions'],
    questions: [
      'where can I work as a nurse in Denver?',
      'which employers advertise for data engineers?',
      'what do welders get paid in current ads?',
    ],
    identifier: 'position',
    form: 'text',
    describe: 'Job title.',
    optional: { name: 'location', describe: 'Place of work.' },
    actor: 'misceres/indeed-scraper',
    limit: { field: 'maxItemsPerSearch' },
    rowsMax: 500,
    example: 'data engineer',
  },
]
