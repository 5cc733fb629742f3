// Measures whether tables, lists and long articles come out whole: `npm run bench wholeness [<folders>]`.
import '../reader/bench/wholeness.ts'
