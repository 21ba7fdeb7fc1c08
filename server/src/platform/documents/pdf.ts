import { createRequire } from 'node:module';
import PdfKit from 'pdfkit';

/** A document for people, as its parts follow each other. */
export interface PaperDocument {
  title: string;
  /** Who it comes from. */
  author: string;
  madeAt: Temporal.Instant;
  parts: readonly PaperPart[];
}

export type PaperPart =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  /** Names and what they are, a line each. */
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { kind: 'table'; columns: readonly PaperColumn[]; rows: readonly (readonly string[])[] };

export interface PaperColumn {
  header: string;
  /** Numbers stand at the right. */
  isNumber?: boolean;
  /** Its share of the width beside the others; 1 by default. */
  share?: number;
}

const require = createRequire(import.meta.url);
/** It has the letters of names in Latin, Greek and Cyrillic, and is embedded, so that every reader shows the same. */
const font = (name: string): string =>
  require.resolve(`@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`);
const TEXT = font('400Regular');
const BOLD = font('700Bold');
const SIZES = { title: 18, heading: 12, text: 9.5, table: 8 } as const;
const GREY = '#555555';
const LINES = '#c8c8c8';
const MARGIN = 48;

/**
 * Returns a document as PDF, tagged for screen readers: headings, paragraphs and tables with header cells, in English, with its
 * title. The same document gives the same bytes.
 */
export function renderPdf(document: PaperDocument): Promise<Buffer> {
  const pdf = new PdfKit({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-GB',
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: document.title,
      Author: document.author,
      Producer: 'Recollect',
      Creator: 'Recollect',
      CreationDate: new Date(document.madeAt.epochMilliseconds),
    },
  });
  const bytes = collect(pdf);
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  write(pdf, root, 'H1', [BOLD, SIZES.title], document.title);
  pdf.moveDown(0.6);
  for (const part of document.parts) writePart(pdf, root, part);
  root.end();
  numberPages(pdf, document);
  pdf.end();
  return bytes;
}

type Pdf = InstanceType<typeof PdfKit>;
type Structure = PDFKit.PDFStructureElement;

function collect(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}

function write(
  pdf: Pdf,
  parent: Structure,
  tag: 'H1' | 'H2' | 'P',
  [face, size]: readonly [font: string, size: number],
  text: string,
): void {
  const content = (): void => {
    pdf.font(face).fontSize(size).fillColor('black').text(text, { paragraphGap: 4 });
  };
  parent.add(pdf.struct(tag, {}, content));
}

function writePart(pdf: Pdf, root: Structure, part: PaperPart): void {
  if (part.kind === 'heading') {
    pdf.moveDown(0.6);
    startPageUnlessFits(pdf, 60);
    write(pdf, root, 'H2', [BOLD, SIZES.heading], part.text);
  } else if (part.kind === 'text') write(pdf, root, 'P', [TEXT, SIZES.text], part.text);
  else if (part.kind === 'facts') {
    const rows = part.facts.map(([name, value]) => [headerCell(name), cell(value)]);
    writeTable(pdf, root, SIZES.text, [{ share: 1 }, { share: 2 }], rows);
  } else {
    const header = part.columns.map((column) => headerCell(column.header, column));
    const rows = part.rows.map((row) => row.map((text, n) => cell(text, part.columns[n])));
    writeTable(pdf, root, SIZES.table, part.columns, [header, ...rows]);
  }
}

const cell = (text: string, column: Pick<PaperColumn, 'isNumber'> = {}) => ({
  text: text === '' ? '–' : text,
  align: { x: column.isNumber ? ('right' as const) : ('left' as const) },
});

const headerCell = (text: string, column: Pick<PaperColumn, 'isNumber'> = {}) => ({
  ...cell(text, column),
  type: 'TH' as const,
  font: { src: BOLD },
});

function writeTable(
  pdf: Pdf,
  root: Structure,
  size: number,
  columns: readonly { share?: number }[],
  data: ReturnType<typeof cell>[][],
): void {
  const options = {
    structParent: root,
    columnStyles: widthsOf(pdf, columns).map((width) => ({ width })),
    defaultStyle: {
      border: [0, 0, 0.5, 0] as [number, number, number, number],
      borderColor: LINES,
      padding: 3,
    },
    data,
  };
  pdf.font(TEXT).fontSize(size).fillColor('black').table(options);
  pdf.moveDown(0.8);
  pdf.x = MARGIN;
}

function widthsOf(pdf: Pdf, columns: readonly { share?: number }[]): number[] {
  const room = pdf.page.width - 2 * MARGIN;
  const all = columns.reduce((sum, { share = 1 }) => sum + share, 0);
  return columns.map(({ share = 1 }) => (room * share) / all);
}

/** Begins a page where less than `height` points are left, so that no heading stands alone at the foot. */
function startPageUnlessFits(pdf: Pdf, height: number): void {
  if (pdf.y + height > pdf.page.height - MARGIN) pdf.addPage();
}

/** The page number and the title at the foot of each page: for eyes alone, not part of what is read aloud. */
function numberPages(pdf: Pdf, { title }: PaperDocument): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let n = start; n < start + count; n += 1) {
    pdf.switchToPage(n);
    pdf.page.margins.bottom = 0;
    pdf.markContent('Artifact', { type: 'Pagination' });
    pdf
      .font(TEXT)
      .fontSize(7)
      .fillColor(GREY)
      .text(`${title} · page ${n + 1} of ${count}`, MARGIN, pdf.page.height - 32, {
        lineBreak: false,
      });
    pdf.endMarkedContent();
  }
}
