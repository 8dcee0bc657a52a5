"""The model, and its document: the deciders, and how many antecedents there were to choose from."""

from dataclasses import dataclass, replace

from msgspec import defstruct

from corels.model import ListedModel


@dataclass(frozen=True)
class MyPartModel(ListedModel):
    schema = "my-part/short-list"
    choices: int = 0

    def to_document(self):
        return {**super().to_document(), "choices": self.choices}

    @classmethod
    def document_type(cls):
        own = [("choices", int)]
        listed = super().document_type()
        return defstruct(
            "MyPartDocument", own, bases=(listed,), kw_only=True, forbid_unknown_fields=True
        )

    @classmethod
    def read(cls, found):
        return replace(super().read(found), choices=found.choices)
