// Workflows about companies and the people in them.
import {
  all,
  from,
  listedPagesMax,
  readPages,
  slot,
  type Workflow,
  type WorkflowStep,
} from './workflow.ts'

const companyNews: WorkflowStep = {
  id: 'news',
  why: 'What is written about it.',
  calls: [
    { action: 'ns_press/news', params: { query: slot('company') } },
    { action: 'own/onesearch', params: { query: slot('company'), facets: ['news'] } },
    { action: 'own/onesearch', params: { query: slot('domain'), facets: ['news'] } },
  ],
}

const verified = (step: string): WorkflowStep => ({
  id: 'verify',
  why: 'Whether mail reaches the address.',
  calls: [
    { action: 'ns_email_a/email-verifier', params: { email: from(step, 'email') } },
    { action: 'ns_contact/email-verify', params: { email: from(step, 'email') } },
  ],
})

/** A plan answers with all of its steps, and a whole history may be large. */
const filingsListedMax = 250

export const companyWorkflows: readonly Workflow[] = [
  {
    name: 'company report',
    phrasings: [
      'tell me everything about the company example.com',
      'a full report on the company Acme: profile, funding, news and filings',
      'prepare a dossier about example.com with funding, news and filings',
      'due diligence on Acme before we invest',
      'company report on example.com',
      'build a complete profile of the company behind example.com: what they do, who funded them, recent news',
      'I meet the CEO of Acme tomorrow, brief me on the company: background, investors, press, filings',
      'alles über die Firma Acme: Profil, Finanzierung, Nachrichten',
      'dossier complet sur la société Acme : profil, financement, actualités',
      'informe completo de la empresa Acme: perfil, financiación, noticias',
    ],
    steps: [
      {
        id: 'profile',
        why: 'What the company is.',
        isRequired: true,
        calls: [
          {
            action: 'ns_company/lookup-companies',
            params: { companies: [{ domain: slot('domain') }] },
          },
          {
            action: 'ns_company/lookup-companies',
            params: { companies: [{ name: slot('company') }] },
          },
          { action: 'ns_knowledge/search', params: { q: slot('company') } },
          { action: 'own/onescrape', params: { urls: [slot('domain')] } },
        ],
      },
      companyNews,
      {
        id: 'filer',
        why: 'Its number at the authority that keeps filings.',
        calls: [
          {
            action: 'ns_filings/entities',
            params: { q: slot('company') },
            gives: { cik: '/entities/0/cik' },
          },
        ],
      },
      {
        id: 'filings',
        why: 'What it has filed.',
        calls: [
          {
            action: 'ns_filings/filings',
            params: { cik: from('filer', 'cik'), limit: filingsListedMax },
          },
        ],
      },
      {
        id: 'funding',
        why: 'Its entry in the funding records.',
        calls: [
          { action: 'ns_funding/company-search', params: { domain: slot('domain') } },
          { action: 'ns_funding/company-search', params: { name: slot('company') } },
        ],
      },
      {
        id: 'traffic',
        why: 'How people find its site.',
        calls: [{ action: 'ns_akta/seo-ppc', params: { company: slot('domain') } }],
      },
    ],
  },
  {
    name: 'verified contact',
    isOfSeveralGoals: true,
    phrasings: [
      'find and verify the work email of Jane Doe at example.com, cheapest source first',
      'get a working contact for Jane Doe at example.com, find the email and make sure it does not bounce',
      'reach Jane Doe of example.com: her address, checked for deliverability',
      'contact waterfall for Jane Doe, example.com, with verification',
      'trouve et vérifie l’adresse de Jane Doe chez example.com',
      'finde und prüfe die E-Mail-Adresse von Jane Doe bei example.com',
    ],
    steps: [
      {
        id: 'find',
        why: 'The address.',
        isRequired: true,
        calls: [
          {
            action: 'ns_email_a/email-finder',
            params: { full_name: slot('person'), domain: slot('domain') },
            gives: { email: '/email' },
          },
          {
            action: 'ns_email_a/email-finder',
            params: { full_name: slot('person'), company: slot('company') },
            gives: { email: '/email' },
          },
          {
            action: 'own/onefind-deep',
            params: { rows: [{ name: slot('person'), domain: slot('domain') }], fields: ['email'] },
            gives: { email: '/rows/0/email' },
          },
        ],
      },
      verified('find'),
    ],
  },
  {
    name: 'leads with addresses',
    phrasings: [
      'build a list of marketing directors in Berlin with verified email addresses',
      'lead list: CTOs of fintech startups in London, with checked emails',
      'find heads of sales at logistics companies and give me their verified emails for outreach',
      'prospect list of dentists in Lyon with names and deliverable addresses',
      'I need fifteen leads, procurement managers in Ohio, each with an email that works',
      'liste de prospects avec adresses vérifiées : directeurs marketing à Paris',
    ],
    steps: [
      {
        id: 'people',
        why: 'The people.',
        isRequired: true,
        calls: [
          {
            action: 'own/onefind',
            params: { query: slot('subject') },
            gives: { people: { list: '/people', each: '/linkedin', first: listedPagesMax } },
          },
        ],
      },
      {
        id: 'addresses',
        why: 'Their addresses, each checked before it is charged.',
        isRequired: true,
        calls: [
          {
            action: 'own/onefind-deep',
            params: { rows: from('people', 'people'), fields: ['email'] },
          },
        ],
      },
    ],
  },
  {
    name: 'filing of a company',
    isOfSeveralGoals: true,
    phrasings: [
      'get the latest annual report of Acme from the SEC and read the document',
      'find the CIK of Acme, list its filings and open the newest one',
      'read the full text of the last 10-K that Acme filed',
      'open the most recent 8-K of Acme and give me the document itself',
      'look up what Acme filed with the SEC and fetch the newest document',
    ],
    steps: [
      {
        id: 'filer',
        why: 'The number of the company.',
        isRequired: true,
        unless: 'CIK',
        calls: [
          {
            action: 'ns_filings/entities',
            params: { q: slot('company') },
            gives: { cik: '/entities/0/cik' },
          },
        ],
      },
      {
        id: 'filings',
        why: 'What it has filed.',
        isRequired: true,
        calls: [slot('CIK'), from('filer', 'cik')].map((cik) => ({
          action: 'ns_filings/filings',
          params: { cik, limit: filingsListedMax },
          gives: { accession: '/filings/0/accession', filename: '/filings/0/primaryDocument' },
        })),
      },
      {
        id: 'document',
        why: 'The newest filing.',
        calls: [slot('CIK'), from('filer', 'cik')].map((cik) => ({
          action: 'ns_filings/document',
          params: {
            cik,
            accession: from('filings', 'accession'),
            filename: from('filings', 'filename'),
          },
        })),
      },
    ],
  },
  {
    name: 'court record of a company',
    phrasings: [
      'find the court dockets of Acme, and the opinions in these cases',
      'lawsuits about Acme: dockets and decisions',
      'litigation check on Acme: open dockets, published opinions',
      'court cases about Acme with their dockets, and read the first one',
      'all lawsuits of Acme in federal court, dockets and rulings',
    ],
    steps: [
      {
        id: 'dockets',
        why: 'Cases with it as a party.',
        isRequired: true,
        calls: [{ action: 'ns_courts/dockets', params: { party_name: slot('company') } }],
      },
      {
        id: 'opinions',
        why: 'What courts have decided.',
        calls: [
          {
            action: 'ns_courts/cases',
            params: { q: slot('company') },
            gives: { pages: { list: '/results', each: '/url', first: 1 } },
          },
        ],
      },
      readPages('opinions'),
    ],
  },
  {
    name: 'companies side by side',
    phrasings: [
      'compare the companies example.com and example.org: size, funding and search traffic',
      'put stripe.com and adyen.com side by side with firmographics and news',
      'competitor comparison of example.com, example.org and example.net',
      'which of the companies example.com and example.org is larger, and what is written about them',
    ],
    steps: [
      {
        id: 'profiles',
        why: 'What the companies are.',
        isRequired: true,
        calls: [
          {
            action: 'ns_company/lookup-companies',
            params: { companies: all('domain', 'domain') },
          },
        ],
      },
      {
        id: 'news',
        why: 'What is written about the first one.',
        calls: [{ action: 'own/onesearch', params: { query: slot('subject') } }],
      },
    ],
  },
]
