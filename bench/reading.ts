// `npm run bench reading <folder>`
import '../reader/bench/reading.ts'
