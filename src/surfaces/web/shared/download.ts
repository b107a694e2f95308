/** A spreadsheet takes text that begins so for a formula and carries it out. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Rows as a file for a spreadsheet (RFC 4180), which begins with the mark that makes Excel read it as UTF-8. What
 * customers wrote stays text: nothing of it becomes a formula.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map(cell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Has the browser save it as a file of this name; nothing of it is shown. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
