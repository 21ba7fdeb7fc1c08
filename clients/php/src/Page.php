<?php

declare(strict_types=1);

namespace Recollect;

/**
 * One page of a list. Iterated, it is every item from this page on: further pages are fetched by cursor as needed. No
 * item comes twice and none is missed, even if items are added meanwhile.
 *
 * @template T
 * @implements \IteratorAggregate<int, T>
 */
final class Page implements \IteratorAggregate
{
    /** @var list<T> */
    public readonly array $data;
    /** The number of all items; null beside `after`. */
    public readonly ?int $total;
    /**
     * What the amounts of all items add up to, in pence; only where `sum` was asked for.
     *
     * @var array{value: int, currency: string}|null
     */
    public readonly ?array $total_amount;
    /** What `after` takes for the next page; null: this is the last. */
    public readonly ?string $next_cursor;

    /**
     * @param array<string, mixed> $body
     * @param \Closure(string): Page<T> $fetchNext
     */
    public function __construct(array $body, private readonly \Closure $fetchNext)
    {
        $this->data = $body['data'] ?? [];
        $this->total = $body['total'] ?? null;
        $this->total_amount = $body['total_amount'] ?? null;
        $this->next_cursor = $body['next_cursor'] ?? null;
    }

    /**
     * @return \Generator<int, T>
     */
    public function getIterator(): \Generator
    {
        $number = 0;
        for ($page = $this; ; $page = ($this->fetchNext)($page->next_cursor)) {
            foreach ($page->data as $item) {
                yield $number++ => $item;
            }
            if ($page->next_cursor === null) {
                return;
            }
        }
    }
}
