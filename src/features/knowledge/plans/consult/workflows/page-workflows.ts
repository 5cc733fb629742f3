// Workflows about pages and papers, and about things that are opened and then used.
import {
  all,
  from,
  listedPagesMax,
  pagesReadMax,
  readPages,
  slot,
  type Workflow,
} from './workflow.ts'

export const pageWorkflows: readonly Workflow[] = [
  {
    name: 'site to dataset',
    phrasings: [
      'turn the whole site https://example.com into a dataset',
      'find all product pages of https://example.com and extract name, price and stock from each into a table',
      'make a table of all articles on example.com with title, author and date',
      'crawl example.com and build a structured dataset from its pages',
      'list every page of https://example.com, then pull the text of each one',
      'aus allen Seiten von https://example.com eine Tabelle machen',
    ],
    steps: [
      {
        id: 'pages',
        why: 'The addresses of the site.',
        isRequired: true,
        calls: [slot('URL'), slot('domain')].map((url) => ({
          action: 'own/map',
          params: { url },
          gives: { pages: { list: '/urls', each: '', first: listedPagesMax } },
        })),
      },
      {
        id: 'rows',
        why: 'What the pages say.',
        isRequired: true,
        calls: [
          {
            action: 'own/extract',
            params: { urls: from('pages', 'pages') },
            composed: ['schema'],
          },
          { action: 'own/onescrape', params: { urls: from('pages', 'pages') } },
        ],
      },
    ],
  },
  {
    name: 'research with sources',
    isOfSeveralGoals: true,
    phrasings: [
      'research memo on sodium-ion batteries with sources: search, then read the best pages',
      'write-up with citations about tidal power, read the top sources in full',
      'search the web for heat pump subsidies and read the five best pages',
      'collect sources on quantum networking and give me their full texts',
      'literature overview on microplastics: search everything, then open the best results',
      'recherche approfondie sur les pompes à chaleur avec sources lues en entier',
    ],
    steps: [
      {
        id: 'search',
        why: 'The sources.',
        isRequired: true,
        calls: [
          {
            action: 'own/onesearch',
            params: { query: slot('subject') },
            gives: { pages: { list: '/evidence', each: '/url', first: pagesReadMax } },
          },
        ],
      },
      readPages('search'),
    ],
  },
  {
    name: 'paper with full text',
    isOfSeveralGoals: true,
    phrasings: [
      'find the paper "Attention is all you need" and get its full text',
      'look up the paper with DOI 10.1038/nature12373 and read the open access PDF',
      'get me the metadata and the full text of the article "Deep residual learning"',
      'search for the study "Mediterranean diet" and read the paper itself',
      'Titel und Volltext der Arbeit "Attention is all you need" holen',
    ],
    steps: [
      {
        id: 'paper',
        why: 'The paper and where it is free.',
        isRequired: true,
        calls: [
          {
            action: 'ns_scholar/work',
            params: { id: slot('DOI') },
            gives: { text: '/open_access/oa_url' },
          },
          {
            action: 'ns_scholar/works',
            params: { search: slot('quotation') },
            gives: { text: '/results/0/open_access/oa_url' },
          },
        ],
      },
      {
        id: 'text',
        why: 'Its full text.',
        calls: [{ action: 'own/read-document', params: { url: from('paper', 'text') } }],
      },
    ],
  },
  {
    name: 'pages side by side',
    phrasings: [
      'compare https://example.com/pricing with https://example.org/pricing',
      'read these pages side by side and keep pictures of them: https://example.com https://example.org',
      'what differs between https://example.com/a and https://example.com/b? text and screenshot',
      'compare the pricing pages of example.com and example.org',
      'vergleiche https://example.com und https://example.org',
    ],
    steps: [
      {
        id: 'texts',
        why: 'The texts to compare.',
        isRequired: true,
        calls: [
          { action: 'own/onescrape', params: { urls: all('URL') } },
          { action: 'own/onescrape', params: { urls: all('domain') } },
        ],
      },
      {
        id: 'picture',
        why: 'How the first one looks.',
        calls: [{ action: 'own/screenshot', params: { url: slot('URL') } }],
      },
    ],
  },
  {
    name: 'code in a sandbox',
    isOfSeveralGoals: true,
    phrasings: [
      'open a sandbox, then run "make report" in it, then save the files and close it',
      'run "python3 -c \'print(1)\'" in a fresh sandbox and throw the sandbox away afterwards',
      'open a sandbox, run the command "make report", save its files and close it',
      'execute "node build.js" in a container and keep the output, then terminate it',
      'start a machine, run "pytest", give me what it prints, and stop the machine',
    ],
    steps: [
      {
        id: 'sandbox',
        why: 'Where the command runs.',
        isRequired: true,
        calls: [
          { action: 'ns_sandbox/sandbox-create', params: {}, gives: { sandbox: '/sandbox_id' } },
        ],
      },
      {
        id: 'run',
        why: 'The command.',
        isRequired: true,
        calls: [
          {
            action: 'ns_sandbox/sandbox-exec',
            params: { sandbox_id: from('sandbox', 'sandbox'), command: slot('quotation') },
          },
        ],
      },
    ],
  },
  {
    name: 'inbox with a conversation',
    isOfSeveralGoals: true,
    phrasings: [
      'open an inbox, write to bob@example.org with the subject "Hello" and read the reply',
      'create a mail address, send "Is the room free?" to info@example.com and show me what comes back',
      'get me an inbox of my own, mail ann@example.com "Quote" and check for the answer',
      'neues Postfach anlegen, an bob@example.org "Anfrage" schreiben und die Antwort lesen',
    ],
    steps: [
      {
        id: 'inbox',
        why: 'The address of the sender.',
        isRequired: true,
        calls: [{ action: 'ns_mail/create_inbox', params: {}, gives: { inbox: '/inbox_id' } }],
      },
      {
        id: 'send',
        why: 'The message.',
        isRequired: true,
        calls: [
          {
            action: 'ns_mail/send',
            params: {
              inbox_id: from('inbox', 'inbox'),
              to: slot('e-mail address'),
              subject: slot('quotation'),
            },
            composed: ['text'],
          },
        ],
      },
      {
        id: 'replies',
        why: 'What has come back. Ask again for what comes later.',
        calls: [{ action: 'ns_mail/list-messages', params: { inbox_id: from('inbox', 'inbox') } }],
      },
    ],
  },
  {
    name: 'questions to a site',
    isOfSeveralGoals: true,
    phrasings: [
      'index the docs at https://example.com/docs, then answer questions from them',
      'make https://example.com searchable and ask it "how are webhooks signed?"',
      'load the handbook https://example.com into an index and search it for vacation rules',
      'build a search index of example.com and query it',
      'indexiere https://example.com und suche darin nach "Kündigung"',
    ],
    steps: [
      {
        id: 'index',
        why: 'The site, in an index of yours.',
        isRequired: true,
        calls: [slot('URL'), slot('domain')].map((url) => ({
          action: 'own/index-site',
          params: { url },
          gives: { index: '/index_id' },
        })),
      },
      {
        id: 'ask',
        why: 'The question to it.',
        isRequired: true,
        calls: [slot('quotation'), slot('subject')].map((query) => ({
          action: 'own/search-index',
          params: { query, index_id: from('index', 'index') },
        })),
      },
    ],
  },
]
