/** People who do not know our words call sections by these, by the path of a page and by its anchor. */
export const searchWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/docs/connect': {
    '': 'integrate add server client assistant agent configuration langchain sdk desktop',
  },
  '/docs/use': {
    '': 'quickstart tutorial first request example hello world getting started how to call api',
    'the-answer': 'response format envelope fields output',
    'nothing-found': 'empty result no hits',
    'know-the-price-first': 'estimate quote price before ceiling expensive surprise preview',
    'repeat-a-call-safely':
      'retry idempotency double charge charged twice timeout lost network kept stored retention old answer result again',
    jobs: 'long running asynchronous background poll wait progress webhook callback notification finished done',
    limits: 'rate limit too many requests 429 throttle',
    versions: 'compatibility breaking change stable deprecate',
    'why-a-call-was-charged':
      'refund money back charged failed error deducted lost billing dispute',
    'ids-and-pages': 'pagination cursor next page request id cors browser origin list all',
    'text-from-providers': 'prompt injection trust language',
  },
  '/docs/use/accounts': {
    '': 'balance money spend history',
    'signing-in-with-a-browser': 'log in login password passkey web',
    transactions: 'statement history spending receipt invoice export csv accounting',
    usage: 'spending report per day month analytics cost breakdown',
    'keys-with-limits':
      'budget cap limit spending per agent key restrict allow only some actions expire rotate revoke lost leaked pause approve sub child several agents share',
    'prices-of-your-account': 'discount own price group',
    'credit-that-expires': 'expire trial promotion gift validity',
    'statements-by-month': 'invoice receipt monthly bill bookkeeping tax',
    health: 'down working uptime success rate status',
  },
  '/docs/use/console': { '': 'dashboard web interface browser gui' },
  '/docs/use/clients': { '': 'sdk library python typescript javascript node package install' },
  '/docs/use/command': { '': 'cli terminal shell install command line' },
  '/docs/use/mcp': {
    '': 'model context protocol claude cursor agent tools server',
    'the-tools': 'tools list missing see available',
    errors: 'tool error fails',
    'actions-as-tools': 'choose which tools appear expose',
    'hosts-and-origins': 'forbidden host dns rebinding',
  },
  '/docs/use/wallets': {
    '': 'crypto stablecoin usdc x402 pay without account anonymous',
    'topping-up-an-account': 'add money deposit fund recharge balance top up',
    'what-a-wallet-owns': 'history files without account',
    'try-it-with-play-money': 'test testnet sandbox faucet without real money',
    rules: '402 payment required challenge signature',
  },
  '/docs/use/oauth': { '': 'third party app permission authorize grant access chatgpt' },
  '/docs/use/models': {
    '': 'gpt claude gemini openai compatible chat completion llm',
    'models-and-tiers': 'which model available choose list',
    price: 'token price how much',
    'your-own-route': 'fallback provider order',
    batches: 'bulk cheaper offline many requests',
    'as-events': 'stream streaming sse tokens live',
    'limits-and-records': 'rate limit context log prompt stored privacy',
    fields: 'temperature parameters unsupported',
  },
  '/docs/use/pages': {
    '': 'scrape crawl website html markdown extract web page content',
    'why-a-page-was-not-read': 'blocked captcha empty forbidden failed',
    'up-to-fifty-pages-or-a-site': 'crawl whole website sitemap',
    'pictures-of-pages': 'screenshot',
    'values-instead-of-text': 'structured json extract fields schema',
  },
  '/docs/use/search': { '': 'web search google answer question sources' },
  '/docs/use/sandboxes': {
    '': 'run code execute python safely container vm interpreter',
    sessions: 'keep state open persistent machine',
    'commands-that-take-long': 'timeout background long',
  },
  '/docs/use/files': {
    '': 'upload download storage attachment bucket',
    upload: 'send a file input attach',
    download: 'get save fetch link',
    'files-that-actions-store': 'output image keep result',
    failures: 'error too large expired',
  },
  '/docs/use/mail': { '': 'send email receive inbox address' },
  '/docs/use/documents': { '': 'pdf word excel spreadsheet extract text' },
  '/docs/use/people': {
    '': 'find person email contact lead phone privacy opt out',
    'if-you-are-such-a-person': 'opt out remove my data gdpr privacy erase',
  },
  '/docs/use/media': { '': 'generate image picture video music speech voice' },
  '/docs/operate': {
    '': 'self host install deploy server run my own',
    start: 'install first start admin token password setup environment',
    'what-it-needs':
      'system requirements hardware minimum memory ram cpu disk size operating platform linux macos',
    'the-network': 'https tls domain public internet reverse proxy nginx cors firewall expose',
    'the-database': 'postgres postgresql database url external',
  },
  '/docs/operate/accounts': {
    '': 'customers users give credit manage admin',
    accounts:
      'create user customer give money credit freeze block ban sign up registration strangers close disable new',
    'signing-in': 'smtp mail links passkeys login users',
    'the-operator-s-own-way-in': 'admin token password lost rotate',
    'calls-without-a-charge': 'free tier calls without payment waive',
    'audit-log': 'who changed what history admin',
    'transactions-and-revenue': 'income earnings profit margin report all customers',
    'people-who-operate-the-gateway': 'team roles admin permission colleague staff invite',
    'when-someone-leaves':
      'delete remove erase account user data gdpr privacy close forget right personal',
    'statements-by-month': 'invoice receipt bill customer monthly tax',
    'health-of-actions-and-providers': 'success rate failing down',
    'oauth-clients': 'app client redirect',
  },
  '/docs/operate/payments': {
    '': 'accept crypto get paid earn money x402 stablecoin usdc wallet address',
    'gas-and-stuck-payments': 'pending payment stuck transaction fee',
    'comparing-books-and-chains': 'reconcile reconciliation accounting blockchain',
  },
  '/docs/operate/providers': {
    '': 'vendor upstream api key set secret add exa serper',
    credentials: 'api key of vendor set environment secret where do i put',
    'your-own-providers': 'add my own integration private action',
    'providers-that-fail': 'down outage circuit fallback vendor',
    'stand-ins': 'alternative without key free',
    pacing: 'vendor requests per second',
    canaries: 'test check monitor vendor probe',
  },
  '/docs/operate/models': {
    '': 'openai anthropic vendor key llm configure tiers routing',
    vendors: 'openai anthropic key ollama local model',
  },
  '/docs/operate/prices': {
    '': 'markup change price raise discount margin profit',
    'prices-of-groups-of-accounts': 'discount customer tier',
    'sales-below-cost': 'loss margin negative',
  },
  '/docs/operate/selling': {
    '': 'monetize my api publish resell charge others openapi',
    'your-key': 'credential secret of my api',
    'price-rules': 'price per request tariff',
    'mcp-servers': 'sell tools',
  },
  '/docs/operate/containers': { '': 'docker compose kubernetes image' },
  '/docs/operate/backup': {
    '': 'save copy disaster snapshot',
    'on-a-schedule': 'automatic daily nightly cron',
    'with-your-own-postgresql': 'pg_dump external',
    'to-any-point-in-time': 'wal archive',
  },
  '/docs/operate/restore': { '': 'recover disaster lost data' },
  '/docs/operate/upgrade': { '': 'new version update release' },
  '/docs/operate/rollback': { '': 'undo downgrade previous version' },
  '/docs/operate/trouble': {
    '': 'debug not working crash fix troubleshoot does not start',
    'a-full-disk': 'disk space no space left storage',
    'checking-the-books': 'verify ledger consistent wrong balance',
    'after-a-crash': 'restart killed power loss recover',
    'mending-the-books': 'repair ledger fix balance',
  },
  '/docs/operate/mail': { '': 'smtp domain dkim spf mx send email' },
  '/docs/operate/reading': { '': 'chromium proxy blocked captcha scrape' },
  '/docs/operate/sandboxes': { '': 'isolation security bubblewrap docker code execution' },
  '/docs/extend': { '': 'plugin custom action write develop contribute provider' },
  '/docs/limits': { '': 'maximum size quota how many how large' },
  '/docs/reference/config': { '': 'environment variable setting option configure env' },
  '/docs/architecture/glossary': { '': 'meaning term definition what is' },
  '/docs/use/sessions': {
    '': 'keep machine browser open state between calls',
    'what-it-costs': 'price per minute idle left open billed time',
  },
  '/docs/use/browsers': {
    '': 'rent chromium playwright puppeteer automation remote',
    'look-on': 'watch live view',
    record: 'video recording replay',
  },
  '/docs/use/plans': {
    '': 'workflow chain several steps combine',
    'a-batch': 'many inputs bulk at once',
    'a-saved-plan': 'reuse template store',
  },
  '/docs/use/site-indexes': {
    '': 'index own website knowledge base rag vector',
  },
  '/docs/use/repositories': {
    '': 'git clone push github code host',
  },
  '/docs/use/responses': {
    '': 'openai responses api',
    streams: 'stream events',
    'in-the-background': 'async poll long',
  },
  '/docs/use/messages': {
    '': 'anthropic claude code api',
  },
  '/docs/use/films': {
    '': 'video edit render slideshow',
  },
  '/docs/operate/alerts': {
    '': 'alarm notification prometheus pager fires',
  },
  '/docs/operate/observability': {
    '': 'monitoring grafana prometheus dashboard tracing logging opentelemetry',
    metrics: 'prometheus grafana monitoring',
    status: 'health check uptime readiness',
    'traces-and-logs': 'log file debug opentelemetry request',
  },
  '/docs/operate/several-gateways': {
    '': 'cluster replicas copies load balancer scale horizontally high availability ha redis',
    secrets: 'rotate encryption sealing key shared secret',
    'failover-of-postgresql': 'replica standby primary',
    pgbouncer: 'connection pool',
  },
  '/docs/operate/deployment': {
    '': 'production systemd kubernetes compose vps server linux service',
  },
  '/docs/operate/console': {
    '': 'dashboard admin web interface',
  },
  '/docs/operate/files': {
    '': 'storage s3 disk quota bucket',
    'the-bytes': 's3 minio bucket where stored',
  },
  '/docs/operate/sellers': {
    'a-purchase-in-doubt': 'pending order stuck',
    'what-you-can-lose': 'risk budget',
  },
  '/docs/operate/sessions': {
    '': 'open machines idle close',
  },
  '/docs/performance': {
    '': 'slow fast speed latency throughput benchmark requests per second how many calls',
  },
  '/docs/scale': {
    '': 'how big hardware requirements memory cpu size capacity many users',
  },
}
