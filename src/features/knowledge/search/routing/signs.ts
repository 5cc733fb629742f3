// Shapes of a question that words do not show. The trained model decides what each of them says about the facets.

const shapes: Readonly<Record<string, RegExp>> = {
  'party versus party': /\b\p{Lu}[\p{L}.'’]+ v\.? \p{Lu}/u,
  comparison: /\bvs\.?\b/i,
  'form of a filing':
    /\b(?:10-?[KQ]|8-?K|20-?F|40-?F|6-K|S-[1348]|F-[134]|13[DFG]|DEF ?M?14A|424B\d|NT 10|N-(?:CSR|PORT|1A)|SC 1\d|form (?:3|4|5|144|10))\b/i,
  'exempt offering': /\bform d\b|\breg(?:ulation)? ?(?:d|a\+?|cf)\b|\b506\([bc]\)/i,
  'exempt organisation': /\b990\b|501\s?\(?c\)?/i,
  'all capitals': /\b[A-Z]{2,5}\b/,
  'legal form':
    /\b(?:Inc|LLC|Ltd|Limited|AG|SE|SA|S\.A\.|BV|GmbH|Oy|AB|PLC|Corp|LP|Pte|FZE|NV|SpA)\b/,
  'error message':
    /\b\w*(?:Error|Exception)\b|\bpanic:|\bfatal:|npm ERR|Traceback|segfault|segmentation fault|undefined reference|ERR_\w+|error\[E\d+\]|error TS\d+/i,
  'camel case': /\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*/,
  'snake case': /\b[a-z]+_[a-z_]+\b/,
  'dotted name': /\b[a-z]\w+\.[a-z]\w+\b/i,
  'call or flag': /\w\(\)|`[^`]+`|--\w+|\w::\w/,
  'owner and repository': /\b[\w.-]+\/[\w.-]+\b/,
  'programming language':
    /\b(?:rust|golang|go|python|java|kotlin|typescript|javascript|c\+\+|c#|haskell|php|ruby|swift|zig|lua|scala|ocaml)\b/i,
  year: /\b(?:19|20)\d\d\b/,
  'fiscal period': /\bfy\s?\d{2,4}\b|\bq[1-4]\b|fiscal/i,
  'Chinese, Japanese or Korean': /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/,
  Cyrillic: /[\u0400-\u04ff]/,
  'question mark': /\?\s*$/,
  quotation: /["“'‘][^"”'’]{4,}["”'’]/,
}

export const signsOf = (question: string): string[] =>
  Object.entries(shapes).flatMap(([name, shape]) => (shape.test(question) ? [name] : []))
