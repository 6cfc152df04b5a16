import { formatMoment } from '../numbers.ts';

interface Piece {
  text: string;
  isCode: boolean;
}

/** Never across lines: the tail of a log may hold a lone backtick. */
const CODE = /`([^`\n]+)`/;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Finds the code in a text of the hub, which stands in backticks. Times are put into the user's locale. */
export const splitHubText = (text: string): Piece[] =>
  text
    .split(CODE)
    .map((piece, index) =>
      index % 2 === 1
        ? { text: piece, isCode: true }
        : {
            text: piece.replace(TIME, (time) => (Number.isNaN(Date.parse(time)) ? time : formatMoment(time))),
            isCode: false,
          },
    )
    .filter((piece) => piece.text !== '');
