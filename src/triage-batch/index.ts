export { PreviousResults } from './previous-results.js';
export { formatOfFile, type InputFormat } from './read-tickets.js';
export { AppendFile, FileSink, headerOf, type OutputFormat, type ResultSink } from './result-files.js';
export { type BatchResult, runBatch } from './run-batch.js';
export type { FieldScore, LabelReport, SummaryFigures } from './summary.js';
export { readLines, type TextLine } from './text-lines.js';
export type { BrokenInput } from './ticket-input.js';
