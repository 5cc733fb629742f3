// Measures how well and how fast main content is found, beside the npm packages: `npm run bench reading <folder>`.
import '../reader/bench/reading.ts'
