<?php

declare(strict_types=1);

namespace Recollect;

/**
 * A text that no dump shows: it stands neither in a property nor in a closure, which tools that report errors look into.
 *
 * @internal
 */
final class Secret
{
    /** @var \WeakMap<self, string>|null */
    private static ?\WeakMap $texts = null;

    public function __construct(#[\SensitiveParameter] string $text)
    {
        self::$texts ??= new \WeakMap();
        self::$texts[$this] = $text;
    }

    /**
     * Refuses to write the secret down.
     *
     * @return array<string, mixed>
     */
    public function __serialize(): array
    {
        throw new \LogicException('A secret cannot be serialised');
    }

    /**
     * Returns the text.
     */
    public function reveal(): string
    {
        return self::$texts[$this];
    }
}
