// What a migration may not do while gateways write: every statement of it keeps its locks until the upgrade has ended.

/** Tables that hold one row, or a few for each account: changing all their rows takes a moment. */
const smallTables = new Set([
  'account',
  'api_key',
  'balance',
  'file_quota',
  'functions_in_place',
  'gateway',
  'inference_cap',
  'migration',
  'shared_secret',
  'uncharged_cap',
])

const volatileDefault =
  /\bdefault\s+(?:\(?\s*)?(?:gen_random_uuid|random|clock_timestamp|timeofday|nextval|uuid_generate_v\d\w*)\s*\(/
const rowNumber = /\b(?:small|big)?serial\b|\bgenerated\b[\s\S]*\bas\b/

/** What is wrong with the statements of a migration, a sentence for each. */
export function findBlocking(sql: string, isContraction = false): string[] {
  const statements = statementsOf(sql)
  const created = new Set(
    statements.flatMap((statement) => {
      const name = /^create table (?:if not exists )?"?(\w+)/.exec(statement)?.[1]
      return name === undefined ? [] : [name]
    }),
  )
  const isFree = (table: string) => created.has(table) || smallTables.has(table)
  return statements.flatMap((statement) =>
    problemsOf(statement, isFree, isContraction).map((problem) => `${problem} In: ${statement}`),
  )
}

function problemsOf(
  statement: string,
  isFree: (table: string) => boolean,
  isContraction: boolean,
): string[] {
  if (/^(?:do|call)\b/.test(statement))
    return ['A block of code cannot be checked. Write plain statements.']
  if (/^(?:create (?:unique )?|drop )index concurrently\b/.test(statement))
    return ['It cannot run inside a transaction. Put it into a migration named NNNN_online_….']
  const indexed = /^create (?:unique )?index .*? on (?:only )?"?(\w+)/.exec(statement)?.[1]
  if (indexed !== undefined && !isFree(indexed))
    return [
      'It blocks the calls that write this table until the index is built. Build it concurrently, in a migration named NNNN_online_….',
    ]
  const changed = /^(?:update(?: only)?|delete from(?: only)?) "?(\w+)/.exec(statement)?.[1]
  if (changed !== undefined && !isFree(changed))
    return ['A change of the rows of a table that grows locks them until the upgrade has ended.']
  if (/^(?:truncate|cluster|vacuum|reindex|lock)\b/.test(statement))
    return ['This locks a whole table.']
  if (/^drop (?:table|schema|type|sequence)\b/.test(statement) && !isContraction)
    return [
      'Gateways of the version before use it. Drop it in a later release, as NNNN_contract_….',
    ]
  const table = /^alter table (?:if exists )?(?:only )?"?(\w+)/.exec(statement)?.[1]
  if (table === undefined) return []
  return problemsOfTable(statement, isFree(table), isContraction)
}

function problemsOfTable(statement: string, isFree: boolean, isContraction: boolean): string[] {
  const problems: string[] = []
  const uses = /\brename\b|\bdrop (?:column|constraint)?\b(?! (?:not null|default))/.test(statement)
  if (uses && !isContraction && !/\bdrop (?:not null|default|constraint)\b/.test(statement))
    problems.push(
      'Gateways of the version before use it. Remove it in a later release, as NNNN_contract_….',
    )
  if (isFree) return problems
  if (/\badd (?:column )?[^,]*/.test(statement)) {
    if (volatileDefault.test(statement) || rowNumber.test(statement))
      problems.push('A column with a value of its own for each row rewrites the table.')
  }
  if (/\balter (?:column )?\w+ (?:set data )?type\b/.test(statement))
    problems.push('Another type rewrites the table. Add a column instead.')
  if (/\bset not null\b/.test(statement))
    problems.push(
      'NOT NULL reads the whole table under a lock. Add a check as NOT VALID, and validate it later.',
    )
  if (/\bset (?:logged|unlogged|tablespace|access method)\b/.test(statement))
    problems.push('This rewrites the table.')
  if (/\badd (?:constraint \w+ )?(?:primary key|unique|exclude)\b/.test(statement)) {
    if (!/\busing index\b/.test(statement))
      problems.push('A unique constraint builds its index under a lock. Build the index before.')
  } else if (
    /\badd (?:constraint \w+ )?(?:check|foreign key)\b/.test(statement) &&
    !/\bnot valid\b/.test(statement)
  )
    problems.push('A constraint reads the whole table under a lock. Add it as NOT VALID.')
  if (/\badd column\b[^,]*\b(?:references|check|unique|primary key)\b/.test(statement))
    problems.push('A column with a constraint reads the whole table under a lock.')
  if (/\bvalidate constraint\b/.test(statement))
    problems.push(
      'A validation reads the whole table while the locks of this upgrade are held. Put it into a migration named NNNN_online_….',
    )
  return problems
}

/** Without comments and strings, in lower case, each on one line. */
function statementsOf(sql: string): string[] {
  const plain = sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
  return plain
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((statement) => statement !== '')
}
